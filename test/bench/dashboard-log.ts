import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { BenchPage } from './support/bench-browser.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { BreakingRelay } from './support/breaking-relay.ts'
import { BareDocker } from './support/bare-container.ts'
import { figure, type Report, type Row, type Unit } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 3
const LINES = 1_000_000
const FRAMES = 120
const DROPS = 50
const DROPPED_LINES = 300_000
/** Coloured lines of about 60 characters, on standard error: they go to the log alone. */
const printing = (lines: number): string =>
  `awk 'BEGIN { for (i = 1; i <= ${lines}; i++) printf "\\033[3%dmline\\033[0m %d: what a build says of one more file%s\\n", 1 + i % 6, i, (i % 50000 == 0 ? " error: it is rare" : "") }' >&2`
const BEADS = {
  'be-log': `${printing(LINES)}; exit 1`,
  'be-drops': `${printing(DROPPED_LINES)}; sleep 1; exit 1`,
}

const moves = {
  'scroll 60 px a frame':
    'pane.dispatchEvent(new WheelEvent("wheel", { deltaY: 60, cancelable: true, bubbles: true }))',
  'scroll 4,000 px a frame':
    'pane.dispatchEvent(new WheelEvent("wheel", { deltaY: 4000, cancelable: true, bubbles: true }))',
  'jump with the thumb': 'pane.scrollTop = ((n * 7919) % 1000) / 1000 * (pane.scrollHeight - pane.clientHeight)',
}

/** The output pane in a browser: the main thread's own time, memory and counts; frames a second of nothing. */
export async function dashboardLog(asked: number | null): Promise<Report> {
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')))
  const images = new BareDocker()
  try {
    await server.addProject(
      PROJECT,
      benchProject(BEADS),
      Object.keys(BEADS).map((id) => ({ id, title: `Print for ${id}` })),
    )
    const rows = new Rows()
    await ingest(server, rows)
    for (let round = 1; round <= (asked ?? ROUNDS); round++) await reading(server, rows)
    await reach(server, rows)
    await drops(server, rows)
    return { rows: rows.all, parts: [] }
  } finally {
    await server.stop()
    await images.removeImages(PROJECT)
  }
}

class Rows {
  readonly all: Row[] = []

  add(what: string, unit: Unit, value: number, aim: Row['aim'] = null): void {
    const known = this.all.find((row) => row.what === what)
    if (known) known.ours.values.push(value)
    else this.all.push({ bench: 'dashboard-log', what, ours: figure(unit, [value]), baseline: null, aim })
  }
}

const atMost = (value: number): Row['aim'] => ({ of: 'ours', at: 'most', value })
const atLeast = (value: number): Row['aim'] => ({ of: 'ours', at: 'least', value })
const output = (bead: string): string => `/p/${PROJECT}/b/${bead}?tab=output`
const complete = (browser: BenchPage) => browser.page.getByText(/■ ended .* complete ✓/).waitFor()

/** A million lines while they are printed, with the pane at their end. */
async function ingest(server: ServerProcess, rows: Rows): Promise<void> {
  const browser = await BenchPage.open(server)
  try {
    const { page } = browser
    await page.goto(`${server.url}${output('be-log')}`)
    await server.queue(PROJECT, 'be-log')
    await page
      .getByText(/line \d+: what a build says/)
      .first()
      .waitFor()
    await page.evaluate(() => {
      const seen = globalThis as unknown as { longest: number }
      seen.longest = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ type: 'longtask' })
    })
    const lines = async () => Number((await page.getByText(/^[\d,]+ lines$/).textContent())?.replaceAll(/\D/g, ''))
    const [before, from, cpu, served] = [await lines(), wallClock(), await browser.cpuMs(), server.cpuMs()]
    await complete(browser)
    const seconds = (wallClock() - from) / 1000
    const thousands = (LINES - before) / 1000
    rows.add('a log that is printed: lines on the screen, following', 'k lines/s', thousands / seconds, atLeast(100))
    const spent = (await browser.cpuMs()) - cpu
    rows.add('the same, main thread for each second', 'ms', spent / seconds)
    rows.add('the same, main thread for each million lines', 'ms', (spent / thousands) * 1000)
    rows.add(
      "the same, the server's processor for each million lines",
      'ms',
      ((server.cpuMs() - served) / thousands) * 1000,
    )
    const longest = await page.evaluate(() => (globalThis as unknown as { longest: number }).longest)
    rows.add('the same, longest task', 'ms', longest)
  } finally {
    await browser.close()
  }
}

async function reading(server: ServerProcess, rows: Rows): Promise<void> {
  const browser = await BenchPage.open(server)
  try {
    const { page } = browser
    const began = wallClock()
    await page.goto(`${server.url}${output('be-log')}`)
    await page.locator('[role=region] [data-line]').first().waitFor()
    rows.add('opening a million lines at their end, from the address', 'ms', wallClock() - began, atMost(1200))
    await complete(browser)
    for (const [what, move] of Object.entries(moves)) {
      await page.keyboard.press('Home')
      rows.add(`${what}: main thread for each frame`, 'ms', await browser.cpuOfFrames(FRAMES, move), atMost(10))
    }
    rows.add('elements of the page', 'elements', await page.locator('*').count())
    for (const [what, text, regex, aim] of [
      ['a text', 'line 999999:', false, 1500],
      ['an expression', 'line 99\\d{4}: what', true, 3000],
    ] as const) {
      if (regex) await page.getByRole('button', { name: 'Regular expression' }).click()
      const [asked, served] = [wallClock(), server.cpuMs()]
      await page.getByRole('textbox', { name: 'Find in the log' }).fill(text)
      await page.getByText(/^[\d,]+ of [\d,]+$/).waitFor()
      rows.add(`finding all of ${what} in a million lines, typing included`, 'ms', wallClock() - asked, atMost(aim))
      rows.add(`the same of ${what}: the server's processor`, 'ms', server.cpuMs() - served)
    }
    await page.keyboard.press('Escape')
    rows.add('JavaScript heap after all that', 'MB', await browser.heapMB(), atMost(60))
  } finally {
    await browser.close()
  }
}

/** The last line that scrolling can reach, of all lines, at several device pixel ratios. */
async function reach(server: ServerProcess, rows: Rows): Promise<void> {
  for (const scale of [1, 1.5, 2]) {
    const browser = await BenchPage.open(server, scale)
    try {
      const { page } = browser
      await page.goto(`${server.url}${output('be-log')}`)
      await complete(browser)
      await page.keyboard.press('End')
      const bottom = await page.locator('[role=region]').evaluate(async (pane) => {
        pane.scrollTop = pane.scrollHeight
        await new Promise((drawn) => setTimeout(drawn, 1000))
        const { bottom: edge } = pane.getBoundingClientRect()
        const numbers = [...pane.querySelectorAll<HTMLElement>('[data-line]')].filter((one) => {
          const row = one.parentElement
          return row !== null && !row.hidden && row.getBoundingClientRect().bottom <= edge
        })
        return Math.max(...numbers.map((one) => Number(one.dataset['line']))) + 1
      })
      rows.add(`last line that the thumb reaches, at ${scale} device pixels a pixel`, 'lines', bottom, atLeast(LINES))
    } finally {
      await browser.close()
    }
  }
}

/** Breaks the connection again and again while a log is printed, and counts the lines that arrived in the end. */
async function drops(server: ServerProcess, rows: Rows): Promise<void> {
  const relay = await BreakingRelay.before(new URL(server.url))
  const browser = await BenchPage.open({ url: relay.url, token: server.token })
  try {
    const { page } = browser
    await page.goto(`${relay.url}${output('be-drops')}`)
    const { id } = await server.queue(PROJECT, 'be-drops')
    const session = await server.workSession(id)
    for (let drop = 0; drop < DROPS; drop++) {
      relay.break()
      await sleep(60)
    }
    await complete(browser)
    const { sessions } = await server.api<ExecutionView>('GET', `/api/executions/${id}`)
    const lines = sessions.find((one) => one.id === session)?.logLines ?? 0
    const shown = await page.getByText(/■ ended .* complete ✓/).textContent()
    const held = Number(/([\d,]+) lines/.exec(shown ?? '')?.[1]?.replaceAll(',', ''))
    rows.add(`lines missing or too many after ${DROPS} lost connections`, 'lines', Math.abs(held - lines), atMost(0))
  } finally {
    await browser.close()
    relay.close()
  }
}
