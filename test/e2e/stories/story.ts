import type { Locator, Page } from 'playwright-core'
import type { FixtureWorld, Mood } from '../../../apps/web/dev/fixture-world.ts'

/** What a screen may be in besides its usual self. `coverage.ts` says which screen has to show which. */
export type Condition = 'first run' | 'empty' | 'filtered to none' | 'loading' | 'stale' | 'offline' | 'error' | 'huge'

/** What the browser meets instead of the server's answer to some requests. */
export type Fault = { at: RegExp; is: 'silent' | 'broken' }

/** One state of one screen, as the made-up server of `apps/web/dev` shows it. */
export type Story = {
  screen: string
  state: string
  /** Which condition of the screen this is; the name of most states says it by itself. */
  is?: Condition
  path: string | ((world: FixtureWorld) => string)
  /** A server without a project. */
  empty?: true
  /** How the server is while the page loads. */
  mood?: Mood
  /** Requests that go wrong while all others are answered. */
  fault?: Fault
  /** What a person does then. */
  before?: (page: Page) => Promise<unknown>
  /** How the server is from then on. */
  later?: Mood
  /** It is there when this is seen: words, or an element. */
  shows: string | RegExp | ((page: Page) => Locator)
  /** Console messages that belong to it. */
  noise?: RegExp
}

export const p = '/p/wordcraft'
export const edge = '/p/edges'
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Everything that is asked fails, and the browser says so in its console. */
export const broken = { mood: 'broken', noise: /status of 500/ } as const
export const fails = (at: RegExp) => ({ fault: { at, is: 'broken' }, noise: /status of 500/ }) as const
export const waits = (at: RegExp) => ({ fault: { at, is: 'silent' } }) as const

/** Presses keys once the board is there. */
export const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    await page.locator('[data-bead]').filter({ visible: true }).first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }

/** Presses keys once the server has said how it is. */
export const pressAnywhere =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    await page.locator('#main > *').filter({ visible: true }).first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }
