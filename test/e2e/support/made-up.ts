import type { Browser, Page } from 'playwright-core'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { serveFixture, type Fixture } from '../../../apps/web/dev/fixture-serve.ts'
import type { FixtureBead, FixtureProject } from '../../../apps/web/dev/fixture-data.ts'
import { browserSuite, launch } from './browser.ts'
import { Screen, type ScreenOptions } from './screen.ts'

/** A made-up server, new for each test, and browsers of people who use it. */
export type MadeUp = {
  readonly world: Fixture['world']
  readonly url: string
  project(id: string): FixtureProject
  /** Opens this page; null opens none yet. */
  open(path: string | null, options?: ScreenOptions): Promise<Screen>
}

export function onMadeUp(name: string, tests: (stage: MadeUp) => void): void {
  browserSuite()(name, () => {
    let browser: Browser | null = null
    let server: Fixture | null = null
    let screens: Screen[] = []
    const served = () => {
      if (server === null) throw new Error('the server has not been started')
      return server
    }
    beforeAll(async () => {
      browser = await launch()
    })
    beforeEach(async () => {
      server = await serveFixture({ port: 0 })
    })
    afterEach(async () => {
      const problems = screens.flatMap((screen) => screen.problems)
      await Promise.all(screens.map((screen) => screen.close()))
      screens = []
      await server?.close()
      expect(problems).toEqual([])
    })
    afterAll(() => browser?.close())
    tests({
      get world() {
        return served().world
      },
      get url() {
        return served().url
      },
      project(id) {
        const found = served().world.project(id)
        if (found === undefined) throw new Error(`there is no project ${id}`)
        return found
      },
      async open(path, options = {}) {
        if (browser === null) throw new Error('the browser has not been started')
        const signed = { server: { url: served().url, token: '' } }
        const screen = await Screen.open(browser, signed, { ...options, signIn: false })
        screens.push(screen)
        if (path !== null) await screen.go(path)
        return screen
      },
    })
  })
}

export const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

export const states = ({ executions }: FixtureProject, bead: string): string[] =>
  [...executions.values()].filter((run) => run.bead === bead).map(({ state }) => state)

export function beadOf(project: FixtureProject, id: string): FixtureBead {
  const found = project.beads.get(id)
  if (found === undefined) throw new Error(`there is no bead ${id}`)
  return found
}

export function runOf({ executions }: FixtureProject, bead: string): ExecutionView {
  const found = [...executions.values()].find((run) => run.bead === bead && run.state === 'RUNNING')
  if (found === undefined) throw new Error(`${bead} does not run`)
  return found
}
