import type { Page } from 'playwright-core'

/**
 * Watches what the browser moves from now on without a person's action. Returns each element with its old and new
 * place. `within`: a selector; elements inside a match do not count.
 */
export async function watchLayout(
  page: Page,
  which: { only?: string; within?: string },
): Promise<() => Promise<string[]>> {
  await page.evaluate(({ only, within }) => {
    type Shift = PerformanceEntry & {
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const moved: string[] = []
    const place = ({ x, y }: DOMRectReadOnly) => `${Math.round(x)},${Math.round(y)}`
    const counts = (node: Element) =>
      (only === undefined || node.matches(only)) && (within === undefined || node.closest(within) === null)
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[])
        for (const { node, previousRect, currentRect } of sources) {
          const element = node instanceof Element ? node : (node?.parentElement ?? null)
          if (element !== null && counts(element))
            moved.push(`${element.outerHTML.slice(0, 120)}: ${place(previousRect)} to ${place(currentRect)}`)
        }
    }).observe({ type: 'layout-shift' })
    Object.assign(globalThis, { moved })
  }, which)
  return () => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)
}
