import type { Browser, Page } from 'playwright-core'
import { serveFixture, type Fixture } from '../../../apps/web/dev/fixture-serve.ts'
import { Screen, type ScreenOptions } from '../support/screen.ts'
import type { Story } from './stories.ts'

/** Long enough for a loaded machine; a story that never comes is told by its name. */
const PATIENCE_MS = 15_000

/** The made-up servers and one person's browser, in which one story after the other is shown. */
export class Storyteller {
  readonly #full: Fixture
  readonly #empty: Fixture

  private constructor(full: Fixture, empty: Fixture) {
    this.#full = full
    this.#empty = empty
  }

  static async start(): Promise<Storyteller> {
    return new Storyteller(...(await Promise.all([serveFixture({ port: 0 }), serveFixture({ port: 0, empty: true })])))
  }

  /** Shows a story and leaves the page as it is for `look`; gives what went wrong in the browser meanwhile. */
  async tell(
    browser: Browser,
    story: Story,
    options: ScreenOptions,
    look: (page: Page) => Promise<unknown>,
  ): Promise<string[]> {
    const { world, url } = story.empty === true ? this.#empty : this.#full
    world.mood = story.mood ?? 'well'
    const screen = await Screen.open(browser, { server: { url, token: '' } }, { ...options, signIn: false })
    try {
      if (story.noise !== undefined) screen.expectConsole(story.noise)
      const { page } = screen
      page.setDefaultTimeout(PATIENCE_MS)
      await screen.go(story.path)
      if (story.mood === undefined)
        await page
          .getByRole('banner')
          .getByRole('button', { name: /^● ?live|live/ })
          .waitFor()
      await page.locator('#main > *').first().waitFor()
      await story.before?.(page)
      if (story.later !== undefined) world.mood = story.later
      const seen = typeof story.shows === 'function' ? story.shows(page) : page.getByText(story.shows)
      await seen.filter({ visible: true }).first().waitFor()
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      await look(page)
      return [...screen.problems]
    } finally {
      await screen.close()
      world.mood = 'well'
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#full.close(), this.#empty.close()])
  }
}
