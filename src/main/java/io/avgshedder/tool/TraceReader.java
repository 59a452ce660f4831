package io.avgshedder.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * Reads a trace: JSON Lines whose load reports are Pulsar's own JSON, from any version. Fields of a report that this
 * Pulsar does not know are left out, because brokers differ in them; everything else that is not as the format says is
 * an error with the line's number, so that no part of a trace is skipped silently.
 */
final class TraceReader {

    /** A thousand brokers with a hundred thousand bundles need about 40 MB. */
    static final int LONGEST_LINE = 256 << 20;
    private static final int DEEPEST = 32;
    /** The last instant of the year 9999. */
    private static final long LATEST = 253_402_300_799_999L;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final String name;
    private final LineReader lines;
    private int number;
    private long latest = Long.MIN_VALUE;
    private int latestNumber;

    /** @param name what errors call the trace: its file's name */
    TraceReader(String name, InputStream in) {
        this.name = name;
        this.lines = new LineReader(in, LONGEST_LINE);
    }

    String name() {
        return name;
    }

    /** Where the reader is, such as {@code trace.jsonl:3}. */
    String position() {
        return name + ":" + number;
    }

    /**
     * The next line; {@code null} after the last one. Blank lines say nothing and are passed over.
     *
     * @throws UserError where the line cannot be read, or its time is before that of an earlier line
     */
    TraceLine next() {
        try {
            String text;
            do {
                number++;
                text = lines.next();
            } while (text != null && text.isBlank());
            return text == null ? null : inOrder(parse(text));
        } catch (CharacterCodingException e) {
            throw new UserError(position() + ": the line is not UTF-8", e);
        } catch (IOException e) {
            throw new UserError(position() + ": cannot read: " + e.getMessage(), e);
        } catch (UserError e) {
            throw new UserError(position() + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new UserError(position() + ": not enough memory for this line; give the JVM more: java -Xmx4g -jar ...", e);
        }
    }

    private TraceLine inOrder(TraceLine line) {
        if (line instanceof TraceLine.Reports reports) {
            advance(reports.time());
        } else if (line instanceof TraceLine.Place place) {
            advance(place.time());
        }
        return line;
    }

    private void advance(long time) {
        if (time < latest) {
            throw new UserError("time " + time + " is before " + latest + " of line " + latestNumber
                    + ": time may not step back");
        }
        latest = time;
        latestNumber = number;
    }

    /** A broker's answer as the load report that it is. */
    static LocalBrokerData report(String broker, JsonNode answer) throws AdminException {
        try {
            Fields fields = new Fields();
            fields.path = broker;
            return fields.checked(read(answer));
        } catch (JsonProcessingException e) {
            throw new AdminException(broker + ": its load report cannot be read: " + where("", e) + firstLine(e), e);
        } catch (UserError e) {
            throw new AdminException(e.getMessage(), e);
        }
    }

    /**
     * The load report in a JSON object. Brokers from 3.0.0 on tell when they started; for a report without it, Pulsar's
     * class assumes that the broker starts at the moment of reading, so that it would seem to restart at each report.
     */
    private static LocalBrokerData read(JsonNode json) throws JsonProcessingException {
        if (json instanceof ObjectNode report && !report.has("startTimestamp")) {
            report.put("startTimestamp", 0L);
        }
        return MAPPER.treeToValue(json, LocalBrokerData.class);
    }

    private static TraceLine parse(String text) throws IOException {
        checkDepth(text);
        Fields fields = new Fields();
        try (JsonParser parser = MAPPER.createParser(text)) {
            parser.nextToken();
            expect(parser, JsonToken.START_OBJECT, "a line must be a JSON object");
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.getCurrentName();
                parser.nextToken();
                fields.read(key, parser);
            }
            if (parser.nextToken() != null) {
                throw new UserError("there is something after the JSON object" + column(parser));
            }
        } catch (JsonMappingException e) {
            throw new UserError(where(fields.path, e) + firstLine(e), e);
        } catch (JsonProcessingException e) {
            throw new UserError("not valid JSON at column " + e.getLocation().getColumnNr() + ": " + firstLine(e), e);
        }
        return fields.line();
    }

    /** The place inside a line, such as {@code brokers.A.cpu.usage}, with a colon. */
    private static String where(String path, JsonProcessingException e) {
        List<String> parts = new ArrayList<>();
        if (!path.isEmpty()) {
            parts.add(path);
        }
        if (e instanceof JsonMappingException mapping) {
            mapping.getPath().forEach(part -> parts.add(part.getFieldName() == null
                    ? String.valueOf(part.getIndex()) : part.getFieldName()));
        }
        return parts.isEmpty() ? "" : String.join(".", parts) + ": ";
    }

    private static String firstLine(JsonProcessingException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("cannot be read");
    }

    private static String column(JsonParser parser) {
        return " at column " + parser.getTokenLocation().getColumnNr();
    }

    private static void expect(JsonParser parser, JsonToken token, String otherwise) {
        if (parser.currentToken() != token) {
            throw new UserError(otherwise + column(parser));
        }
    }

    /** Older parsers follow nesting with recursion, without a bound. */
    private static void checkDepth(String text) {
        int depth = 0;
        boolean inString = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                inString = true;
            } else if (c == '{' || c == '[') {
                if (++depth > DEEPEST) {
                    throw new UserError("nested deeper than " + DEEPEST + " levels at column " + (i + 1));
                }
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
    }

    /** The fields of one line, in whatever order they come. */
    private static final class Fields {

        private Map<String, String> conf;
        private Long time;
        private Map<String, LocalBrokerData> brokers;
        private Boolean shed;
        private String bundle;
        private List<String> candidates;
        private boolean hasPlace;
        private String path = "";

        private void read(String key, JsonParser parser) throws IOException {
            path = key;
            switch (key) {
                case "conf" -> conf = conf(parser);
                case "time" -> time = time(parser);
                case "brokers" -> brokers = brokers(parser);
                case "shed" -> {
                    if (parser.currentToken() != JsonToken.VALUE_TRUE
                            && parser.currentToken() != JsonToken.VALUE_FALSE) {
                        throw new UserError("shed: must be true or false" + column(parser));
                    }
                    shed = parser.getBooleanValue();
                }
                case "place" -> place(parser);
                default -> throw new UserError(key + ": unknown key; a line has conf, or time with brokers and shed, "
                        + "or time with place");
            }
            path = "";
        }

        private static Map<String, String> conf(JsonParser parser) throws IOException {
            expect(parser, JsonToken.START_OBJECT, "conf: must be an object of keys and values");
            Map<String, String> values = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.getCurrentName();
                if (!parser.nextToken().isScalarValue() || parser.currentToken() == JsonToken.VALUE_NULL) {
                    throw new UserError("conf." + key + ": must be a text, as in broker.conf" + column(parser));
                }
                values.put(key, parser.getText());
            }
            return values;
        }

        private static long time(JsonParser parser) throws IOException {
            expect(parser, JsonToken.VALUE_NUMBER_INT, "time: must be a whole number of milliseconds since the epoch");
            boolean fits = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
            long time = fits ? parser.getLongValue() : -1;
            if (time < 0 || time > LATEST) {
                throw new UserError("time: must be from 0 to " + LATEST + ", but is " + parser.getText());
            }
            return time;
        }

        private Map<String, LocalBrokerData> brokers(JsonParser parser) throws IOException {
            expect(parser, JsonToken.START_OBJECT, "brokers: must be an object of brokers and their load reports");
            Map<String, LocalBrokerData> reports = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String broker = parser.getCurrentName();
                path = "brokers." + broker;
                boolean isNull = parser.nextToken() == JsonToken.VALUE_NULL;
                if (!isNull) {
                    expect(parser, JsonToken.START_OBJECT, path + ": must be a load report");
                }
                reports.put(broker, isNull ? null : checked(TraceReader.read(MAPPER.readTree(parser))));
            }
            return reports;
        }

        private LocalBrokerData checked(LocalBrokerData report) {
            if (report.getLastStats() != null) {
                report.getLastStats().forEach((bundle, stats) -> {
                    checkBundle(path + ".lastStats", bundle);
                    if (stats == null) {
                        throw new UserError(path + ".lastStats." + bundle + ": must be the bundle's statistics");
                    }
                });
            }
            if (report.getBundles() != null) {
                report.getBundles().forEach(bundle -> checkBundle(path + ".bundles", bundle));
            }
            return report;
        }

        private void place(JsonParser parser) throws IOException {
            expect(parser, JsonToken.START_OBJECT, "place: must be an object with bundle and candidates");
            hasPlace = true;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.getCurrentName();
                parser.nextToken();
                switch (key) {
                    case "bundle" -> {
                        expect(parser, JsonToken.VALUE_STRING, "place.bundle: must be a text");
                        bundle = parser.getText();
                    }
                    case "candidates" -> candidates = names(parser);
                    default -> throw new UserError("place." + key + ": unknown key; place has bundle and candidates");
                }
            }
        }

        private static List<String> names(JsonParser parser) throws IOException {
            expect(parser, JsonToken.START_ARRAY, "place.candidates: must be a list of brokers");
            List<String> names = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(parser, JsonToken.VALUE_STRING, "place.candidates: must be a list of brokers' names");
                names.add(parser.getText());
            }
            return names;
        }

        private static void checkBundle(String where, String bundle) {
            if (bundle == null || bundle.isBlank()) {
                throw new UserError(where + ": a bundle has no name");
            }
        }

        private TraceLine line() {
            if (conf != null) {
                if (time != null || brokers != null || shed != null || hasPlace) {
                    throw new UserError("conf: must stand alone in its line");
                }
                return new TraceLine.Conf(conf);
            }
            if (time == null) {
                throw new UserError(brokers == null && !hasPlace
                        ? "a line needs conf, or time with brokers, or time with place" : "time: is missing");
            }
            if (brokers != null == hasPlace) {
                throw new UserError(hasPlace ? "brokers and place must stand in lines of their own"
                        : "a line with time needs brokers or place");
            }
            if (brokers != null) {
                return new TraceLine.Reports(time, brokers, shed == null || shed);
            }
            if (shed != null) {
                throw new UserError("shed: belongs to a line with brokers");
            }
            if (bundle == null || candidates == null) {
                throw new UserError("place." + (bundle == null ? "bundle" : "candidates") + ": is missing");
            }
            checkBundle("place.bundle", bundle);
            return new TraceLine.Place(time, bundle, candidates);
        }
    }
}
