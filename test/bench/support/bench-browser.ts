import type { CDPSession, Page } from 'playwright-core'
import { launch } from '../../e2e/support/browser.ts'

/** The processor time of the page's main thread, and its memory. Neither depends on the frame rate. */
export class BenchPage {
  readonly page: Page
  readonly #cdp: CDPSession
  readonly #close: () => Promise<void>

  private constructor(page: Page, cdp: CDPSession, close: () => Promise<void>) {
    this.page = page
    this.#cdp = cdp
    this.#close = close
  }

  static async open(server: { url: string; token: string }, scale = 1): Promise<BenchPage> {
    const browser = await launch()
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: scale,
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(300_000)
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(`${server.url}/?token=${server.token}`)
    return new BenchPage(page, cdp, () => browser.close())
  }

  close(): Promise<void> {
    return this.#close()
  }

  /** Milliseconds of the main thread's own time so far. */
  async cpuMs(): Promise<number> {
    return (await this.#metric('ThreadTime')) * 1000
  }

  /** Millions of bytes of the page's JavaScript, after a collection. */
  async heapMB(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage')
    return (await this.#metric('JSHeapUsedSize')) / 1e6
  }

  /** Milliseconds of the main thread for each of `count` frames, with one movement before each. */
  async cpuOfFrames(count: number, move: string, selector = '[role=region][aria-live=off]'): Promise<number> {
    const before = await this.cpuMs()
    await this.page.evaluate(
      async ([frames, code, which]) => {
        const pane = document.querySelector(which)
        // The text comes from this file, never from a page.
        const step = new Function('pane', 'n', code) as (pane: Element | null, n: number) => void
        for (let n = 0; n < frames; n++) {
          step(pane, n)
          await new Promise((drawn) => requestAnimationFrame(drawn))
        }
      },
      [count, move, selector] as const,
    )
    return ((await this.cpuMs()) - before) / count
  }

  /**
   * Milliseconds from a click on an element to the frame after each of these is visible, measured by the page itself.
   */
  afterClick(target: string, there: string[]): Promise<number[]> {
    return this.page.evaluate(
      async ([clicked, wanted]) => {
        const began = performance.now()
        document.querySelector<HTMLElement>(clicked)?.click()
        const times: number[] = []
        while (times.length < wanted.length) {
          await new Promise((drawn) => requestAnimationFrame(drawn))
          if (performance.now() - began > 60_000) throw new Error(`${wanted[times.length]} never came`)
          while (times.length < wanted.length && document.querySelector(wanted[times.length] ?? '') !== null)
            times.push(performance.now() - began)
        }
        return times
      },
      [target, there] as const,
    )
  }

  /** Keeps, from now on, the browser's own measure of each key: from the press to the next paint. */
  async watchKeys(): Promise<void> {
    await this.page.evaluate(() => {
      type Timing = PerformanceEntry & { interactionId: number }
      const waits = new Map<number, number>()
      Object.assign(globalThis, { waits })
      const options = { type: 'event', durationThreshold: 16, buffered: false }
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries() as Timing[])
          if (interactionId > 0) waits.set(interactionId, Math.max(duration, waits.get(interactionId) ?? 0))
      }).observe(options)
    })
  }

  /** Milliseconds of every key since `watchKeys`, without keys that took less than a frame. */
  keysWaited(): Promise<number[]> {
    return this.page.evaluate(async () => {
      await new Promise((later) => setTimeout(later, 500))
      return [...(globalThis as unknown as { waits: Map<number, number> }).waits.values()]
    })
  }

  async #metric(name: string): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics')
    return metrics.find((one) => one.name === name)?.value ?? Number.NaN
  }
}
