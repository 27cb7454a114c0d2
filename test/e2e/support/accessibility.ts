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
    /**
     * Whether the edge of a scrolling box hides a part of the target. Once scrolled to, it is as large as the others.
     */
    const isCut = (selector: string): boolean => {
      const target = document.querySelector(selector)
      const { top, bottom } = target?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
      for (let box = target?.parentElement ?? null; box !== null; box = box.parentElement) {
        const edge = box.getBoundingClientRect()
        if (/auto|scroll/.test(getComputedStyle(box).overflowY) && (top < edge.top || bottom > edge.bottom)) return true
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
