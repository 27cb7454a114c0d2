import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { World } from '../../support/world.ts'
import { column, countIn } from '../support/board.ts'
import { launch } from '../support/browser.ts'
import { Screen } from '../support/screen.ts'
import { animateDemo } from './animate-demo.ts'

/*
 * Takes the README's pictures from the demo on its own server: while it runs, its history in the loom, the bead that
 * failed once, the bead with a plan, and a review; with `--animation`, the moving picture instead. It runs on Docker
 * and takes minutes.
 */
const docs = join(import.meta.dirname, '..', '..', '..', 'docs')
const size = { width: 1280, height: 640 }
const failedOnce = 'demo-e08t'
const planned = 'demo-m6rv'
let over = false

const [world, browser] = await Promise.all([World.start({ flags: { demo: true } }), launch()])
try {
  if (process.argv.includes('--animation')) await takeAnimation()
  else await takeStills()
} finally {
  over = true
  await browser.close()
  await world.stop()
}

async function takeAnimation(): Promise<void> {
  const picture = await animateDemo(browser, world, failedOnce)
  writeFileSync(join(docs, 'demo.webp'), picture)
  console.log(`docs/demo.webp: ${Math.round(picture.length / 1000)} kB`)
}

async function takeStills(): Promise<void> {
  const board = await openScreen()
  const { page, go } = await openScreen()
  const picture = async (name: string) => {
    await page.mouse.move(0, 0)
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    await page.screenshot({ path: join(docs, name) })
    console.log(`docs/${name}`)
  }
  // Markdown shows as text until its reader is loaded.
  const described = () => page.getByRole('heading', { name: 'Description' }).locator('..').locator('code').first()
  await column(board.page, 'running').locator('[data-bead]').first().waitFor()
  const watching = watchBoard(board.page)

  await countIn(page, 'completed', '6').waitFor()
  const { executions } = await world.get<BeadView>(`/api/projects/demo/beads/${failedOnce}`)
  if (executions[0]?.attempt !== 2) throw new Error(`${failedOnce} was expected to need two attempts`)
  await go('/p/demo/activity')
  const loom = page.locator('[data-loom]')
  await loom.locator('text', { hasText: failedOnce }).waitFor()
  await page.mouse.move(0, 0)
  await page.getByRole('figure').screenshot({ path: join(docs, 'loom.png') })
  console.log('docs/loom.png')

  await go(`/p/demo/b/${failedOnce}?tab=attempts`)
  await page.getByRole('heading', { name: 'Attempt 2', exact: true }).waitFor()
  await page
    .getByText(/^Digest/)
    .first()
    .click()
  await described().waitFor()
  await picture('bead.png')

  await go(`/p/demo/b/${planned}?tab=plan`)
  await page.getByRole('tree').first().waitFor()
  await page
    .getByText(/5 of \d+ tests fail, as they should/)
    .first()
    .waitFor()
  await described().waitFor()
  await picture('plan.png')

  const review = await world.api<{ id: string }>('POST', '/api/projects/demo/reviews', {})
  await world.ended(review.body.id)
  await go(`/p/demo/reviews/${review.body.id}?issue=1&show=diff`)
  await page.getByRole('article').first().waitFor()
  await page.getByRole('region', { name: 'Diff at issue 1' }).getByText(/^@@/).first().waitFor()
  await picture('review.png')

  // Autopilot fixes the review's issues meanwhile.
  await board.page
    .waitForFunction(() => document.querySelectorAll('[data-bead][data-lane=running]').length > 0, null, {
      timeout: 60_000,
    })
    .catch(() => null)
  await new Promise((later) => setTimeout(later, 10_000))
  over = true
  await watching
}

async function openScreen() {
  const screen = await Screen.open(browser, world, { size, scheme: 'light', scale: 1.5 })
  screen.page.setDefaultTimeout(600_000)
  return { page: screen.page, go: (path: string) => screen.go(path) }
}

/** Keeps a picture of the fullest board: something running, and cards in as many columns as possible. */
async function watchBoard(page: Page): Promise<void> {
  let best = 0
  while (!over) {
    const lanes = await page
      .locator('[data-bead]')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-lane') ?? ''))
    const running = lanes.filter((lane) => lane === 'running').length
    const score = running === 0 ? 0 : 4 * new Set(lanes).size + 2 * running + lanes.length
    if (score > best) {
      await page.screenshot({ path: join(docs, 'board.png') })
      console.log(`docs/board.png: ${lanes.length} cards, ${running} of them running`)
      best = score
    }
    await new Promise((later) => setTimeout(later, 700))
  }
}
