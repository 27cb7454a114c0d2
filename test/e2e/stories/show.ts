import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { serveFixture, type Fixture } from '../../../apps/web/dev/fixture-serve.ts'
import { violations } from '../support/accessibility.ts'
import { Screen } from '../support/screen.ts'
import { nameOf } from './stories.ts'
import type { Fault, Story } from './story.ts'

/** Long enough for a loaded machine; a story that never appears is reported by name. */
const PATIENCE_MS = 30_000
const SETTLE_MS = 5_000

export const widths = [1440, 820, 320] as const
const schemes = ['light', 'dark'] as const
const HEIGHT = 900

export const pictures = join(import.meta.dirname, '..', '..', '..', 'test-results', 'stories')

/** The made-up servers and one person's browser, which shows one story after the other. */
export class Storyteller {
  readonly #full: Fixture
  readonly #empty: Fixture
  /** A window for each server: their addresses differ. */
  readonly #screens: Map<Fixture, Screen>
  readonly #width: number

  private constructor(full: Fixture, empty: Fixture, screens: Map<Fixture, Screen>, width: number) {
    this.#full = full
    this.#empty = empty
    this.#screens = screens
    this.#width = width
  }

  static async start(browser: Browser, width: number): Promise<Storyteller> {
    mkdirSync(pictures, { recursive: true })
    const servers = await Promise.all([serveFixture({ port: 0 }), serveFixture({ port: 0, empty: true })])
    const screens = new Map<Fixture, Screen>()
    for (const server of servers) {
      const signed = { server: { url: server.url, token: '' } }
      const screen = await Screen.open(browser, signed, { size: { width, height: HEIGHT }, signIn: false })
      screen.page.setDefaultTimeout(PATIENCE_MS)
      // Every story begins as a first visit.
      await screen.context.addInitScript(() => {
        if (location.protocol === 'about:') return
        localStorage.clear()
        sessionStorage.clear()
      })
      screens.set(server, screen)
    }
    return new Storyteller(...servers, screens, width)
  }

  /**
   * Shows a story in both themes and takes a picture of each. Returns problems, one sentence each: errors in the
   * browser, barriers that axe finds, content wider than the window, and a story that never appeared.
   */
  async tell(story: Story): Promise<string[]> {
    try {
      return (await this.#show(story)).map((problem) => `${nameOf(story)}, ${this.#width}: ${problem}`)
    } catch (error) {
      return [`${nameOf(story)}, ${this.#width}: ${error instanceof Error ? error.message : String(error)}`]
    }
  }

  async #show(story: Story): Promise<string[]> {
    const server = story.empty === true ? this.#empty : this.#full
    const screen = this.#screens.get(server)
    if (screen === undefined) throw new Error('there is no window for this server')
    const { page, context } = screen
    const { world } = server
    const before = world.mood
    const found: string[] = []
    world.mood = story.mood ?? 'well'
    try {
      await page.emulateMedia({ colorScheme: schemes[0] })
      if (story.fault) await meet(page, story.fault)
      await screen.go(typeof story.path === 'string' ? story.path : story.path(world))
      await this.#comes(page, story)
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme })
        await settled(page)
        await page.screenshot({ path: join(pictures, `${nameOf(story)}-${this.#width}-${scheme}.png`) })
        if (!(await fits(page, this.#width)))
          found.push(`${scheme}: something is wider than the window, scrolls all of it, or the chosen tab is out of it`)
        for (const violation of await violations(page)) found.push(`${scheme}: ${violation}`)
      }
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.setOffline(false)
      // Pending requests belong to this story, not to the next one.
      await page.goto('about:blank')
      world.mood = before
      found.push(...screen.problems.splice(0))
    }
    const { noise } = story
    return found.filter((problem) => noise === undefined || !noise.test(problem))
  }

  async #comes(page: Page, story: Story): Promise<void> {
    if (story.mood === undefined)
      await page
        .getByRole('banner')
        .getByRole('button', { name: /^● ?live|live/ })
        .waitFor()
    await page.locator('#main').waitFor()
    await story.before?.(page)
    const world = (story.empty === true ? this.#empty : this.#full).world
    if (story.later !== undefined) world.mood = story.later
    const seen = typeof story.shows === 'function' ? story.shows(page) : page.getByText(story.shows)
    await seen.filter({ visible: true }).first().waitFor()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#screens.values()].map((screen) => screen.close()))
    await Promise.all([this.#full.close(), this.#empty.close()])
  }
}

/** Waits two frames after the last movement: the log corrects its colours in the frame after a change of theme. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
}

/** Whether nothing is cut off at the right, and the chosen tab is in sight. Waits, as later content may move both. */
const fits = (page: Page, width: number): Promise<boolean> =>
  page
    .waitForFunction(
      (most) =>
        document.documentElement.scrollWidth <= most &&
        // The bar and the page scroll by themselves: a second scroll bar beside them means that something sticks out.
        document.documentElement.scrollHeight <= innerHeight &&
        [...document.querySelectorAll('#main, [role="tabpanel"]')].every(
          (main) => main.scrollWidth <= main.clientWidth,
        ) &&
        [...document.querySelectorAll('[role="tab"][aria-selected="true"]')].every((tab) => {
          const { left, right } = tab.getBoundingClientRect()
          return left > -1 && right < most + 1
        }),
      width,
      { timeout: SETTLE_MS },
    )
    .then(() => true)
    .catch(() => false)

/** Makes some requests fail on their way, unknown to the server. */
async function meet(page: Page, { at, is }: Fault): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && at.test(`${url.pathname}${url.search}`),
    async (route) => {
      if (is === 'silent') return
      const error = { code: 'internal', message: "Internal error. The server's log has the details." }
      await route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ error }) })
    },
  )
}
