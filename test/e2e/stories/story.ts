import type { Locator, Page } from 'playwright-core'
import type { FixtureWorld, Mood } from '../../../apps/web/dev/fixture-world.ts'

/** A special condition of a screen. `coverage.ts` says which screen has to show which. */
export type Condition = 'first run' | 'empty' | 'filtered to none' | 'loading' | 'stale' | 'offline' | 'error' | 'huge'

/** The browser's experience instead of the server's answer to some requests. */
export type Fault = { at: RegExp; is: 'silent' | 'broken' }

/** One state of one screen, as the made-up server of `apps/web/dev` shows it. */
export type Story = {
  screen: string
  state: string
  /** The screen's condition; for most states the name says it. */
  is?: Condition
  path: string | ((world: FixtureWorld) => string)
  /** A server without a project. */
  empty?: true
  /** The state of the server while the page loads. */
  mood?: Mood
  /** Requests that fail while all others are answered. */
  fault?: Fault
  /** A person's actions then. */
  before?: (page: Page) => Promise<unknown>
  /** The state of the server from then on. */
  later?: Mood
  /** Words or an element that prove that it is shown. */
  shows: string | RegExp | ((page: Page) => Locator)
  /** Console messages that belong to it. */
  noise?: RegExp
}

export const p = '/p/wordcraft'
export const edge = '/p/edges'
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** All requests fail, and the browser's console reports it. */
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

/** Presses keys once the server has answered. */
export const pressAnywhere =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    await page.locator('#main > *').filter({ visible: true }).first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }
