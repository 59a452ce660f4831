package io.avgshedder.core;

/**
 * How much of one budget is used.
 *
 * @param scope what it limits
 * @param name  the scope's broker or namespace; empty for the cluster
 * @param used  unloads in the window that ends now
 * @param limit the limit they are counted against
 */
public record BudgetUse(UnloadScope scope, String name, int used, UnloadLimit limit) {
}
