import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page as Answer } from '@beadloom/core/api/api.ts'
import type { Browser, Page } from 'playwright-core'
import type { World } from '../../support/world.ts'
import { column } from '../support/board.ts'
import { Screen } from '../support/screen.ts'
import { animatedPicture, type Frame } from './animated-picture.ts'

const size = { width: 1200, height: 560 }
/** A size that a phone connection can carry. */
const MOST_BYTES = 1_900_000
const MOST_FRAMES = 40
/** The time for which a picture is shown, and a picture with text to read. */
const BRIEF_MS = 700
const LONG_MS = 2200
const LOOK_MS = 400
const FRAMES_OF_LOG = 6
/** The number of the demo's beads that complete. */
const BEADS = 6
/** Enough for a quarter of an hour, and longer if looking is slow. */
const MOST_LOOKS = 2000

/**
 * Animates the demo from its first bead to its last, then the bead that needed two attempts: half a minute, in a loop.
 */
export async function animateDemo(browser: Browser, world: World, failedOnce: string): Promise<Buffer> {
  const { page } = await Screen.open(browser, world, { size, scheme: 'light' })
  page.setDefaultTimeout(600_000)
  const frames: Frame[] = []
  const shoot = async (ms: number) => {
    await page.mouse.move(0, 0)
    frames.push({ png: await page.screenshot(), ms })
  }
  let seen = ''
  const shootChange = async () => {
    const now = await boardOf(page)
    if (now !== seen) await shoot(BRIEF_MS)
    seen = now
    await later(LOOK_MS)
  }

  // The visible cards depend on the room; the server says what is running.
  const executions = async () => (await world.get<Answer<ExecutionView>>('/api/executions?project=demo')).items
  const shootUntil = async <T>(what: string, found: () => Promise<T | undefined>): Promise<T> => {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const it = await found()
      if (it !== undefined) return it
      await shootChange()
    }
    throw new Error(`${what} has not been seen: ${await boardOf(page)}`)
  }
  const talking = async () => {
    const live = (await executions()).filter(({ state, inPhases }) => state === 'RUNNING' && inPhases === undefined)
    for (const { bead, sessions } of live) {
      const session = sessions.find(
        ({ kind, state, logLines }) => kind === 'work' && state === 'running' && logLines > 8,
      )
      if (session) return { bead, session: session.id }
    }
    return undefined
  }
  const isOver = async () => {
    const all = await executions()
    const done = new Set(all.flatMap(({ state, bead }) => (state === 'COMPLETED' ? [bead] : [])))
    return done.size >= BEADS && !all.some(({ state }) => state === 'RUNNING') ? true : undefined
  }

  await column(page, 'running').locator('[data-bead]').first().waitFor()
  const { bead, session } = await shootUntil('an agent at work', talking)
  for (let more = 0; more < 8; more++) await shootChange()
  await shoot(LONG_MS / 2)

  await page.goto(`${world.server.url}/p/demo/b/${bead}?tab=output&session=${session}`)
  await page.locator('[data-step]').first().waitFor()
  for (let frame = 0; frame < FRAMES_OF_LOG; frame++) {
    await shoot(BRIEF_MS)
    await later(LOOK_MS)
  }

  await page.goto(`${world.server.url}/p/demo`)
  await page.locator('[data-bead]').first().waitFor()
  await shootUntil('the end of all beads', isOver)
  await shoot(LONG_MS)

  await page.goto(`${world.server.url}/p/demo/b/${failedOnce}?tab=attempts`)
  await page.getByRole('heading', { name: 'Attempt 2', exact: true }).waitFor()
  await shoot(LONG_MS)
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await page.locator('[data-diff-surface]').getByText(/^@@/).first().waitFor()
  await shoot(LONG_MS)
  for (let most = MOST_FRAMES; ; most = Math.floor(most * 0.9)) {
    const picture = await animatedPicture(browser, thinned(frames, most))
    if (picture.length <= MOST_BYTES) return picture
  }
}

/** At most this many pictures: all that have to be read, and every second, third … of the others. */
function thinned(frames: readonly Frame[], most: number): Frame[] {
  const brief = frames.filter(({ ms }) => ms === BRIEF_MS)
  const room = most - (frames.length - brief.length)
  const kept = new Set(
    brief.filter((_, at) => Math.floor((at * room) / brief.length) !== Math.floor(((at - 1) * room) / brief.length)),
  )
  return frames.filter((one) => one.ms !== BRIEF_MS || kept.has(one))
}

/** Lane and text of each card, without digits: counting figures are no change. */
const boardOf = (page: Page): Promise<string> =>
  page
    .locator('[data-bead]')
    .evaluateAll((cards) =>
      cards.map((card) => `${card.getAttribute('data-lane')} ${card.textContent?.replace(/\d/g, '')}`).join('\n'),
    )

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
