import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Files } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { BenchPage } from './support/bench-browser.ts'
import { PROJECT } from './support/bench-project.ts'
import { BareDocker } from './support/bare-container.ts'
import { figure, type Report, type Row, type Unit } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 3
const BEAD = 'be-diff'
/** Half of the files are changed in every fourth line, half are new: 300 files, 19,800 changed lines. */
const HALF = 150
const LINES = 132
const CHANGED = 66
const FRAMES = 120
/** Pixels that are scrolled through once before the jumps: some 60 files. */
const READ = 85_000
const STEP = 500
const PANE = '[data-diff-surface]'

const name = (n: number): string => `src/part-${n % 10}/module-${String(n).padStart(3, '0')}.ts`
const line = (n: number) => `export const value${n} = read('a text', ${n}) ?? { of: [${n}, null] } // why it is so`
const code = (lines: number): string => Array.from({ length: lines }, (_, n) => `${line(n)}\n`).join('')

const files: Files = Object.fromEntries(Array.from({ length: HALF }, (_, n) => [name(n), code(LINES)]))
const agent = `cat > /dev/null
for f in src/part-*/*.ts; do sed -i '1~4s/value/other/' "$f"; done
head -n ${CHANGED} ${name(1)} > /tmp/new
mkdir -p src/new
for i in $(seq -w 1 ${HALF}); do cp /tmp/new src/new/module-$i.ts; done
${commitAndPush(BEAD, 'Change it all')}`

const moves = {
  'scroll 60 px a frame': 'pane.scrollTop += 60',
  'scroll 4,000 px a frame': 'pane.scrollTop = ((n + 1) * 4000) % (pane.scrollHeight - pane.clientHeight)',
  'jump with the thumb': 'pane.scrollTop = ((n * 7919) % 1000) / 1000 * (pane.scrollHeight - pane.clientHeight)',
}

/** A large diff in a browser, from the click to its last line; the way from the board to a bead; keys. */
export async function dashboardDiff(asked: number | null): Promise<Report> {
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')))
  const images = new BareDocker()
  const rows: Row[] = []
  const add: Add = (what, unit, value, aim = null) => {
    const known = rows.find((row) => row.what === what)
    if (known) known.ours.values.push(value)
    else
      rows.push({
        bench: 'dashboard-diff',
        what,
        ours: figure(unit, [value]),
        baseline: null,
        aim: aim === null ? null : { of: 'ours', at: 'most', value: aim },
      })
  }
  try {
    const project = shellProject({ agent, config: { autopilot: false } })
    await server.addProject(PROJECT, { ...project, ...files }, [{ id: BEAD, title: 'Change many files' }])
    await server.over((await server.queue(PROJECT, BEAD)).id)
    for (let round = 1; round <= (asked ?? ROUNDS); round++) await reading(server, add)
    return { rows, parts: [] }
  } finally {
    await server.stop()
    await images.removeImages(PROJECT)
  }
}

type Add = (what: string, unit: Unit, value: number, aim?: number | null) => void

async function reading(server: ServerProcess, add: Add): Promise<void> {
  const browser = await BenchPage.open(server)
  try {
    const { page } = browser
    await page.goto(`${server.url}/p/${PROJECT}`)
    const card = page.locator(`[data-bead="${BEAD}"]`).filter({ visible: true }).first()
    await card.hover() // makes the dashboard load the bead's page ahead
    await page.waitForLoadState('networkidle')
    const usable = await browser.afterClick(`[data-bead="${BEAD}"] a, a[data-bead="${BEAD}"]`, ['[role=tabpanel]'])
    add('from a card to its bead, with a panel to use', 'ms', usable[0] ?? Number.NaN, 100)

    await page.goto(`${server.url}/p/${PROJECT}/b/${BEAD}?tab=output`)
    await page.getByRole('tab', { name: 'Diff' }).waitFor()
    await page.waitForLoadState('networkidle')
    const [list, first, colours] = await browser.afterClick('#tab-diff', [
      '[role=treeitem][aria-level="2"]',
      `${PANE} [data-kind=added]`,
      `${PANE} [data-kind=added] span span`,
    ])
    add('300 files, 19,800 changed lines: from the click to the list', 'ms', list ?? Number.NaN, 300)
    add('the same, to the lines of the first file', 'ms', first ?? Number.NaN, 500)
    add('the same, to their colours', 'ms', colours ?? Number.NaN)
    for (const [what, move] of Object.entries(moves)) {
      await page.locator(PANE).evaluate((pane) => pane.scrollTo(0, 0))
      add(`${what}: main thread for each frame`, 'ms', await browser.cpuOfFrames(FRAMES, move, PANE), 10)
    }
    // All of those passed before their patches were loaded. The same with every patch loaded:
    await page.locator(PANE).evaluate((pane) => pane.scrollTo(0, 0))
    await browser.cpuOfFrames(READ / STEP, `pane.scrollTop = n * ${STEP}`, PANE)
    await page.waitForLoadState('networkidle')
    const among = `pane.scrollTop = ((n * 7919) % 1000) / 1000 * ${READ}`
    const known = await browser.cpuOfFrames(FRAMES, among, PANE)
    add('jump with the thumb where all patches were read: main thread for each frame', 'ms', known, 10)
    add('elements of the page', 'elements', await page.locator('*').count())
    add('JavaScript heap after all that', 'MB', await browser.heapMB())

    await browser.watchKeys()
    await page.locator(PANE).focus()
    for (const key of ['n', 'j', 'j', 'k', 'v', 'p', 's', 'j', 'n', 's'])
      for (let times = 0; times < 4; times++) await page.keyboard.press(key)
    const waits = (await browser.keysWaited()).toSorted((a, b) => a - b)
    add('a key to what it paints, three of four', 'ms', waits[Math.floor(waits.length * 0.75)] ?? Number.NaN, 100)
    add('the same, the longest', 'ms', waits.at(-1) ?? Number.NaN)
  } finally {
    await browser.close()
  }
}
