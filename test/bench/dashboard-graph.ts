import { serveFixture } from '../../apps/web/dev/fixture-serve.ts'
import { growGraph } from '../e2e/support/large-graph.ts'
import { press } from '../e2e/support/made-up.ts'
import { BenchPage } from './support/bench-browser.ts'
import { figure, type Report, type Row } from './support/figure.ts'
import { longestTaskMs } from './support/longest-task.ts'

const ROUNDS = 3
const BEADS = 5000
const PROJECT = 'big-tracker'

/** The longest time for which the dependency graph of a large project blocks the page's main thread. */
export async function dashboardGraph(asked: number | null): Promise<Report> {
  const rows: Row[] = []
  const add = (what: string, value: number, aim: number | null) => {
    const known = rows.find((row) => row.what === what)
    if (known) known.ours.values.push(value)
    else
      rows.push({
        bench: 'dashboard-graph',
        what,
        ours: figure('ms', [value]),
        baseline: null,
        aim: aim === null ? null : { of: 'ours', at: 'most', value: aim },
      })
  }
  for (let round = 1; round <= (asked ?? ROUNDS); round++) {
    const server = await serveFixture({ port: 0 })
    const project = server.world.project(PROJECT)
    if (project === undefined) throw new Error(`there is no project ${PROJECT}`)
    growGraph(project, BEADS)
    const browser = await BenchPage.open({ url: server.url, token: '' })
    const { page } = browser
    const board = page.locator('[data-bead]').first()
    const drawn = (count: number) => page.locator('[data-node]').nth(count - 1)
    try {
      await page.goto(`${server.url}/p/${PROJECT}`)
      await board.waitFor()
      // Wait for the pages that are loaded ahead: their code must not load while the graph opens.
      await page.waitForLoadState('networkidle')
      const open = async () => {
        await press(page, 'g', 'd')
        await drawn(100).waitFor()
      }
      add(`${BEADS} beads: longest task while the graph opens`, await longestTaskMs(page, open), 50)
      const more = async () => {
        await page.getByRole('button', { name: /^Show up to/ }).click()
        await drawn(300).waitFor()
      }
      add('the same, while 200 boxes more come', await longestTaskMs(page, more), 50)
      await press(page, 'g', 'b')
      await board.waitFor()
      add('the same, while it is opened again', await longestTaskMs(page, open), 50)
    } finally {
      await browser.close()
      await server.close()
    }
  }
  return { rows, parts: [] }
}
