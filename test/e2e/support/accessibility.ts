import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}

/** axe's findings on the page as it is now: one sentence for each place. */
export async function violations(page: Page): Promise<string[]> {
  // Through the debugger: the page's content policy would refuse a foreign script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const found = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as { axe: { run: (on: Document, how: RunOptions) => Promise<AxeResults> } }
    const isSticky = (one: Element) => getComputedStyle(one).position === 'sticky'
    /**
     * Whether the edge of a scrolling box, or what sticks to that edge, hides a part of the target. Once scrolled to, it
     * is as large as the others.
     */
    const isCut = (selector: string): boolean => {
      const target = document.querySelector(selector)
      const { left, width, top, bottom } = target?.getBoundingClientRect() ?? new DOMRect()
      for (let box = target?.parentElement ?? null; box !== null; box = box.parentElement) {
        if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) continue
        const edge = box.getBoundingClientRect()
        if (top < edge.top || bottom > edge.bottom) return true
        for (const y of [top + 1, bottom - 1])
          for (
            let over = document.elementFromPoint(left + width / 2, y);
            over !== null && over !== box;
            over = over.parentElement
          )
            if (isSticky(over) && !over.contains(target)) return true
      }
      return false
    }
    const { violations: all } = await axe.run(document, options)
    return all.map((one) =>
      one.id === 'target-size' ? { ...one, nodes: one.nodes.filter(({ target }) => !isCut(String(target))) } : one,
    )
  }, rules)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${String(target)}: ${failureSummary ?? ''}`),
  )
}

/** The same in both themes. The page must not be moving. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The log corrects a program's colours for each theme in the frame after the change.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
    for (const violation of await violations(page)) found.push(`${colorScheme}: ${violation}`)
  }
  return found
}
