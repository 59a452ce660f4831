package io.avgshedder.pulsar;

/** Wall time stretched by a factor around the instant at which it was made. */
record FasterTime(long origin, int factor) implements TimeSource {

    FasterTime {
        if (factor < 1) {
            throw new IllegalArgumentException("a clock must run at least at wall speed, but the factor is " + factor);
        }
    }

    @Override
    public long millis() {
        return fromWall(System.currentTimeMillis());
    }

    @Override
    public long fromWall(long wallMillis) {
        return origin + (wallMillis - origin) * factor;
    }

    @Override
    public long duration(long wallMillis) {
        return wallMillis * factor;
    }
}
