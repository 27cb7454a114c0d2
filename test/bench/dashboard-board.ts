import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MovingBoard } from '../e2e/support/moving-board.ts'
import { shellProject } from '../support/shell-project.ts'
import { BenchPage } from './support/bench-browser.ts'
import { movingServer } from './support/moving-server.ts'
import { figure, type Report, type Row, type Unit } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 3
const BEADS = 5000
const CHANGES = 2000
const views = { columns: '/p/moving', 'the list': '/p/moving?view=list&sort=-age' }

/** The board in a browser while it changes 200 times a second: the main thread's own time, and counts. */
export async function dashboardBoard(asked: number | null): Promise<Report> {
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')))
  const rows: Row[] = []
  const add = (what: string, unit: Unit, value: number, aim: number | null = null) => {
    const known = rows.find((row) => row.what === what)
    if (known) known.ours.values.push(value)
    else
      rows.push({
        bench: 'dashboard-board',
        what,
        ours: figure(unit, [value]),
        baseline: null,
        aim: aim === null ? null : { of: 'ours', at: 'most', value: aim },
      })
  }
  try {
    await server.addProject('moving', shellProject({ agent: 'true\n' }), [])
    for (let round = 1; round <= (asked ?? ROUNDS); round++)
      for (const [view, path] of Object.entries(views)) {
        const { cpuMs, frames, elements } = await moving(server, path)
        add(`${view}, ${BEADS} beads, 200 changes a second: main thread for each frame`, 'ms', cpuMs / frames, 8)
        add(`${view}: main thread for each change`, 'ms', cpuMs / CHANGES)
        add(`${view}: elements of the page`, 'elements', elements)
      }
    return { rows, parts: [] }
  } finally {
    await server.stop()
  }
}

async function moving(server: ServerProcess, path: string) {
  const board = new MovingBoard('moving', BEADS)
  const front = await movingServer({ url: server.url, get: (asked) => server.api('GET', asked) }, board)
  const browser = await BenchPage.open({ url: front.url, token: server.token })
  try {
    const { page } = browser
    // Counts the frames that the page asks for: one for all changes since the last frame. Other frames cost nothing and
    // would flatter the result. Counting changes of the page instead would leave out invisible work.
    await page.addInitScript(() => {
      const seen = { drawn: 0, at: -1 }
      const ask = globalThis.requestAnimationFrame.bind(globalThis)
      const counted = (run: FrameRequestCallback) =>
        ask((at) => {
          if (at !== seen.at) seen.drawn++
          seen.at = at
          run(at)
        })
      Object.assign(globalThis, { seen, requestAnimationFrame: counted })
    })
    await page.goto(`${front.url}${path}`)
    await page.locator('[data-bead]').nth(8).waitFor()
    const frames = () => page.evaluate(() => (globalThis as unknown as { seen: { drawn: number } }).seen.drawn)
    await board.move(200) // V8 still compiles in the first ones
    const [from, cpu] = [await frames(), await browser.cpuMs()]
    await board.move(CHANGES)
    const cpuMs = (await browser.cpuMs()) - cpu
    return { cpuMs, frames: (await frames()) - from, elements: await page.locator('*').count() }
  } finally {
    board.stop()
    await browser.close()
    await front.close()
  }
}
