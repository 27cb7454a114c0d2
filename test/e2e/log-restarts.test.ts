// @suite dashboard
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { issues, makeRemote } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { browserSuite, launch } from './support/browser.ts'
import { drawnRows, lineSeen, logPane, rawLines, readThrough, rowPlaces } from './support/log.ts'
import { Mortal } from './support/mortal.ts'
import { Screen } from './support/screen.ts'

/* Two people read a log, one at its end and one in its middle, while the server is killed repeatedly. */
const KILLS = 20
const DONE = '/tmp/enough'
/** Coloured lines, a progress bar that overwrites itself, and half a line now and then, until it is stopped. */
const agent = `cat > /dev/null
i=0
while [ ! -e ${DONE} ]; do
  i=$((i+1))
  printf '\\033[3%dmline %d\\033[0m of many\\n10 %%\\r50 %%\\r100 %% of %d' $((1 + i % 6)) $i $i
  sleep 0.02
  echo
done >&2
exit 1
`

browserSuite()('a log that is read while its server is killed', () => {
  const mortal = new Mortal()
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await launch()
    await mortal.start()
    const source = makeRemote(join(mortal.folder, 'remote.git'), {
      '.beads/issues.jsonl': issues({ id: 'mo-1', title: 'Print without end' }),
      ...shellProject({ agent }),
    })
    await mortal.api('POST', '/api/projects', { source, id: 'mortal' })
  })
  afterAll(async () => {
    await browser?.close()
    await mortal.remove()
  })

  const open = async () => {
    if (browser === null) throw new Error('the browser has not been started')
    const screen = await Screen.open(browser, mortal)
    screen.expectConsole(/ERR_CONNECTION|WebSocket connection|ERR_EMPTY_RESPONSE|Failed to load resource/)
    await screen.go('/p/mortal/b/mo-1?tab=output')
    return screen
  }
  const lastLine = async (page: Page) => Math.max(...(await drawnRows(page)).map(([line]) => line))
  const grown = (page: Page, beyond: number) =>
    page.waitForFunction((n) => {
      const numbers = [...document.querySelectorAll<HTMLElement>('[role=region] [data-line]')]
      return numbers.some((one) => Number(one.dataset['line']) > n)
    }, beyond)

  test(`is whole at its end after ${KILLS} kills, byte for byte, and a view that stands still never moves`, async () => {
    const queued = await mortal.api<ExecutionView>('POST', '/api/projects/mortal/beads/mo-1/executions', {})
    const [follower, reader] = [await open(), await open()]
    await grown(follower.page, 100)
    await grown(reader.page, 100)
    for (let up = 0; up < 8; up++) await reader.page.keyboard.press('k')
    await reader.page.getByRole('button', { name: /new lines$/ }).waitFor()
    const still = JSON.stringify([await rowPlaces(reader.page), await drawnRows(reader.page)])

    const places = await rowPlaces(reader.page)
    const [middle, middlePlace] = places[Math.floor(places.length / 2)] ?? [0, 0]

    for (let kill = 1; kill <= KILLS; kill++) {
      const seen = await lastLine(follower.page)
      await mortal.kill('SIGKILL')
      expect(JSON.stringify([await rowPlaces(reader.page), await drawnRows(reader.page)])).toBe(still)
      await mortal.start()
      await grown(follower.page, seen)
      expect(JSON.stringify([await rowPlaces(reader.page), await drawnRows(reader.page)])).toBe(still)
    }

    const live = await mortal.api<ExecutionView>('GET', `/api/executions/${queued.id}`)
    const session = live.sessions.find(({ kind }) => kind === 'work')
    if (!session?.container) throw new Error('its container is not known')
    expect(session.state).toBe('running')
    execFileSync('docker', ['exec', session.container, 'touch', DONE])
    await follower.page.getByText(/■ ended .* complete ✓/).waitFor()
    // The page's message above the log takes room from the log, and does not push the lines being read.
    await reader.page
      .getByRole('note')
      .getByText(/^The session failed/)
      .waitFor()
    expect((await rowPlaces(reader.page)).find(([line]) => line === middle)).toEqual([middle, middlePlace])

    const file = mortal.log(queued.id, session.number)
    const headers = { authorization: `Bearer ${mortal.token}` }
    const raw = await fetch(`${mortal.url}/api/sessions/${session.id}/log/raw`, { headers })
    expect(Buffer.from(await raw.arrayBuffer()).equals(file)).toBe(true)
    const plain = await rawLines(mortal, session.id)
    expect(`${plain.join('\n')}\n`).toBe(stripAnsi(file.toString('utf8')))
    const numbers = plain.flatMap((line) => (line.endsWith(' of many') ? [Number(line.split(' ')[1])] : []))
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1))

    await lineSeen(follower.page, plain.length - 1)
    const read = await readThrough(follower.page, plain.length)
    expect(read).toEqual(plain.map((line) => line.split('\r').at(-1)))
    expect([...follower.problems, ...reader.problems]).toEqual([])
    await logPane(reader.page).focus()
    await reader.page.keyboard.press('End')
    await lineSeen(reader.page, plain.length - 1)
  }, 600_000)
})
