// @suite dashboard
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import { decodeLogChunk, PROTOCOL, type ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { residentMegabytes } from '../crash/pulse.ts'
import { issues, makeRemote } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { SlowProxy } from '../support/slow-proxy.ts'
import { browserSuite, launch } from './support/browser.ts'
import { lineSeen, logPane, rawLines } from './support/log.ts'
import { Mortal } from './support/mortal.ts'
import { Screen } from './support/screen.ts'

/*
 * A minute of 5,000 lines a second, about 3/4 MB/s, read by a page and five programs over a line of 50 KB/s each. A
 * server that kept the backlog of each would hold 40 MB a client by the end, 240 MB in all.
 */
const PER_SECOND = 5000
const SECONDS = 60
const LINES = PER_SECOND * SECONDS
const SLOW = 50_000
const PROGRAMS = 5
/** Memory that the garbage collector may leave, after the first third. */
const GROWTH_MB = 80
const GO = '/tmp/go'
/** Prints 500 lines each tenth of a second by the clock; if it is late, it catches up. */
const agent = `cat > /dev/null
echo ready >&2
while [ ! -e ${GO} ]; do sleep 0.1; done
pad=$(printf '%0120d' 0 | tr 0 x)
begun=$(date +%s%N)
tick=0
while [ $tick -lt ${SECONDS * 10} ]; do
  awk -v from=$((tick * ${PER_SECOND / 10})) -v pad=$pad 'BEGIN { for (i = 1; i <= ${PER_SECOND / 10}; i++) print "line", from + i, pad }' >&2
  tick=$((tick + 1))
  while [ $(date +%s%N) -lt $((begun + tick * 100000000)) ]; do sleep 0.02; done
done
exit 1
`

/**
 * A program that follows a log from its first line: how far it is, and whether lines were missing or came twice. If the
 * server takes it for dead (1013), it returns with its cursor, as the dashboard does.
 */
class Follower {
  next = 0
  end: number | null = null
  isWhole = true
  /** The codes with which the server closed its connections. */
  readonly closed: number[] = []
  readonly ended: Promise<void>
  #socket: WebSocket
  #over = false

  constructor(url: string, token: string, session: string) {
    const connect = () =>
      new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
    this.#socket = connect()
    this.ended = new Promise((resolve) => {
      const follow = () => {
        const socket = this.#socket
        socket.on('error', () => {})
        socket.on('open', () => {
          socket.send(JSON.stringify({ type: 'hello', proto: PROTOCOL }))
          socket.send(JSON.stringify({ type: 'sub', ch: 1, topic: `log:${session}`, next: this.next }))
        })
        socket.on('message', (data: Buffer, isBinary) => {
          if (isBinary) {
            const { firstLine, count } = decodeLogChunk(data)
            this.isWhole &&= firstLine === this.next
            this.next = firstLine + count
            return
          }
          const frame = JSON.parse(String(data)) as ServerFrame
          if (frame.type !== 'end') return
          this.end = frame.lines
          resolve()
        })
        socket.on('close', (code) => {
          if (this.#over) return
          this.closed.push(code)
          this.#socket = connect()
          follow()
        })
      }
      follow()
    })
  }

  close(): void {
    this.#over = true
    this.#socket.terminate()
  }
}

browserSuite()('a log that is read over a thin line', () => {
  const mortal = new Mortal()
  let browser: Browser | null = null
  let proxy: SlowProxy | null = null
  beforeAll(async () => {
    browser = await launch()
    await mortal.start()
    proxy = await SlowProxy.before(new URL(mortal.url))
    const source = makeRemote(join(mortal.folder, 'remote.git'), {
      '.beads/issues.jsonl': issues({ id: 'sl-1', title: 'Print fast' }),
      ...shellProject({ agent }),
    })
    await mortal.api('POST', '/api/projects', { source, id: 'slow' })
  })
  afterAll(async () => {
    await browser?.close()
    proxy?.close()
    await mortal.remove()
  })

  test(`costs the server no memory, and is whole in the end: ${PER_SECOND} lines a second for a minute at ${SLOW / 1000} KB/s`, async () => {
    if (browser === null || proxy === null) throw new Error('nothing has been started')
    const { id } = await mortal.api<ExecutionView>('POST', '/api/projects/slow/beads/sl-1/executions', {})
    const screen = await Screen.open(browser, { server: { url: proxy.url, token: mortal.token } })
    const { page } = screen
    await screen.go('/p/slow/b/sl-1?tab=output')
    await logPane(page).getByText('ready').waitFor()
    const session = (await mortal.api<ExecutionView>('GET', `/api/executions/${id}`)).sessions.find(
      ({ kind }) => kind === 'work',
    )
    if (!session?.container) throw new Error('its container is not known')
    const { url } = proxy
    const programs = Array.from({ length: PROGRAMS }, () => new Follower(url, mortal.token, session.id))
    const meta = () => mortal.api<LogMeta>('GET', `/api/sessions/${session.id}/log/meta`)
    try {
      proxy.speed = SLOW
      execFileSync('docker', ['exec', session.container, 'touch', GO])

      const samples: number[] = []
      let log = await meta()
      for (const begun = performance.now(); !log.complete; log = await meta()) {
        samples.push(residentMegabytes(mortal.pid))
        await delay(250) // the pause between two samples, not a wait for an event
        if (performance.now() - begun > 4 * SECONDS * 1000) throw new Error('the agent does not come to its end')
      }
      const third = Math.floor(samples.length / 3)
      const [early, late] = [Math.max(...samples.slice(0, third)), Math.max(...samples.slice(third))]
      const behind = Math.max(...programs.map(({ next }) => next))
      console.log(
        `${log.lines} lines, ${(log.bytes / 1e6).toFixed(0)} MB, the fastest program has ${behind} and the programs were closed by ${JSON.stringify(programs.map(({ closed }) => closed))}; the server: ${early.toFixed(0)} MB at most in the first third, ${late.toFixed(0)} MB later`,
      )
      expect(log.lines).toBeGreaterThan(LINES)
      // Otherwise the line was not thin.
      expect(behind).toBeLessThan(log.lines / 2)
      expect(late - early).toBeLessThan(GROWTH_MB)

      proxy.speed = Number.POSITIVE_INFINITY
      await Promise.all(programs.map(({ ended }) => ended))
      expect(programs.map(({ next, end, isWhole }) => ({ next, end, isWhole }))).toEqual(
        programs.map(() => ({ next: log.lines, end: log.lines, isWhole: true })),
      )
      await page.getByText(/■ ended .* complete ✓/).waitFor()
      await lineSeen(page, log.lines - 1)
      const numbers = (await rawLines(mortal, session.id)).flatMap((line) => /^line (\d+) x/.exec(line)?.[1] ?? [])
      expect(numbers.length).toBe(LINES)
      expect(screen.problems).toEqual([])
    } finally {
      for (const program of programs) program.close()
      await screen.close()
    }
  }, 600_000)
})
