/** Calls that come too often. */

/**
 * Returns a function that calls `act` at most once per period [ms], and once more after
 * the last wish, so that nothing stale stays.
 */
export function paced(act: () => void, period: number): { ask(): void; end(): void } {
  let timer = 0;
  let last = -Infinity;
  const run = () => {
    timer = 0;
    last = performance.now();
    act();
  };
  return {
    ask() {
      if (timer) return;
      timer = window.setTimeout(run, Math.max(0, last + period - performance.now()));
    },
    end() {
      window.clearTimeout(timer);
    },
  };
}
