/** Runs at most once in so many milliseconds, and once after the last call; `stop` forgets what waits. */
export function throttled(ms: number, run: () => void): { call(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
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
