/** Runs at most once per period, and once after the last call; `now` runs at once; `stop` cancels a pending run. */
export function throttled(ms: number, run: () => void): { call(): void; now(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
    now: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      run()
    },
    call: () => {
      timer ??= setTimeout(() => {
        timer = null
        run()
      }, ms)
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
