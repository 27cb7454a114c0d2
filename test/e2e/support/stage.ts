import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { World } from '../../support/world.ts'
import { browserSuite, launch } from './browser.ts'
import { Screen, type ScreenOptions } from './screen.ts'

/** The shared real server and browser of one test file. A test may replace the server. */
export type Stage = {
  world: World
  /** Opens one more person's browser. It is closed after the test, which fails if anything was wrong in it. */
  open(options?: ScreenOptions): Promise<Screen>
}

const pictures = join(import.meta.dirname, '..', '..', '..', 'test-results')

/** Takes pictures of the last state of a failed test. */
async function picture(screens: Screen[], test: string): Promise<void> {
  for (const [index, { page }] of screens.entries()) {
    const path = join(pictures, `${test.replace(/\W+/g, '-').slice(0, 60)}-${index}.png`)
    await page.screenshot({ path }).catch(() => null) // the page may have crashed
    console.warn(`A picture of it: ${path}`)
  }
}

export function onStage(name: string, start: () => Promise<World>, tests: (stage: Stage) => void): void {
  browserSuite()(name, () => {
    let browser: Browser | null = null
    let world: World | null = null
    let screens: Screen[] = []
    const stage: Stage = {
      get world() {
        if (world === null) throw new Error('the server has not been started')
        return world
      },
      set world(other) {
        world = other
      },
      async open(options) {
        if (browser === null) throw new Error('the browser has not been started')
        const screen = await Screen.open(browser, stage.world, options)
        screens.push(screen)
        return screen
      },
    }
    beforeAll(async () => {
      ;[world, browser] = await Promise.all([start(), launch()])
    })
    afterEach(async ({ task }) => {
      const problems = screens.flatMap((screen) => screen.problems)
      if (task.result?.state === 'fail') await picture(screens, task.name)
      await Promise.all(screens.map((screen) => screen.close()))
      screens = []
      expect(problems).toEqual([])
    })
    afterAll(async () => {
      await browser?.close()
      await world?.stop()
    })
    tests(stage)
  })
}
