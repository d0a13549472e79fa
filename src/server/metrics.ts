/** Counts requests, and says so in the text format of Prometheus. No label names a repository, a task or a caller. */

export type Metrics = {
  finished(route: string, status: number, ms: number): void;
  text(now: { readonly running: number; readonly waiting: number; readonly isReady: boolean }): string;
};

/** The upper bounds of the histogram, in seconds. */
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

type Histogram = { readonly counts: number[]; seconds: number; count: number };

/** `version` is the server's. */
export function openMetrics(version: string): Metrics {
  const requests = new Map<string, number>();
  const times = new Map<string, Histogram>();
  return {
    finished(route, status, ms) {
      const labels = `route="${route}",status="${status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      const histogram = times.getOrInsertComputed(route, () => ({ counts: BOUNDS.map(() => 0), seconds: 0, count: 0 }));
      const seconds = ms / 1_000;
      histogram.count += 1;
      histogram.seconds += seconds;
      for (const [at, bound] of BOUNDS.entries())
        if (seconds <= bound) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
    },
    text: ({ running, waiting, isReady }) =>
      [
        ...family("cra_info", "gauge", "the version of the server", [`{version="${version}"} 1`]),
        ...family("cra_ready", "gauge", "1 when every repository can answer", [` ${Number(isReady)}`]),
        ...family("cra_requests_running", "gauge", "requests that are being worked on", [` ${running}`]),
        ...family("cra_requests_waiting", "gauge", "requests that wait for their turn", [` ${waiting}`]),
        ...family("cra_requests_total", "counter", "requests that were answered", [
          ...[...requests].map(([labels, count]) => `{${labels}} ${count}`),
        ]),
        ...family("cra_request_seconds", "histogram", "time from a request to the end of its answer", [
          ...[...times].flatMap(([route, histogram]) => histogramLines(route, histogram)),
        ]),
        "",
      ].join("\n"),
  };
}

const family = (name: string, type: string, help: string, samples: readonly string[]): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map((sample) => `${name}${sample}`),
];

/** Lines that go on from the name of the family. */
const histogramLines = (route: string, { counts, seconds, count }: Histogram): readonly string[] => [
  ...BOUNDS.map((bound, at) => `_bucket{route="${route}",le="${bound}"} ${counts[at] ?? 0}`),
  `_bucket{route="${route}",le="+Inf"} ${count}`,
  `_sum{route="${route}"} ${seconds}`,
  `_count{route="${route}"} ${count}`,
];
