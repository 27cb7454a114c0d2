import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { WebhooksView } from '@beadloom/core/api/settings/webhook-api.ts'
import { tally } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { shellProject } from '../support/shell-project.ts'

/* Every form of webhook tells of a wait for budget, despite kills of the server and failures of the receivers. */

let victim: Victim | null = null
const servers: { close(): unknown; closeAllConnections(): void }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await victim?.remove()
  victim = null
})

const SECRET = 'a secret of this test'
type Request = { headers: IncomingHttpHeaders; body: string }

test('a wait for budget is reported in every form over kills of the server and failures of the receivers, and its secrets are nowhere', async () => {
  const scenarios = mkdtempSync(join(tmpdir(), 'bl-told-'))
  const turns = [
    {
      say: 'I do it.',
      calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt; git add -A; git commit -qm d' } }],
    },
    { say: 'It is done.' },
  ]
  const scenario = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(scenario))
  const logged: string[] = []
  try {
    victim = await Victim.start({ env: { BEADLOOM_SCENARIOS: scenarios } })
    const it = victim
    const killed = async () => {
      const { gone } = it
      await it.kill()
      logged.push((await gone).stderr)
    }
    const forms = ['json', 'ntfy', 'slack'] as const
    const got = new Map<string, Request[]>(forms.map((form) => [form, []]))
    let answers: 'nothing' | '503' | 'well' = 'nothing'
    const receiver = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const [, form = ''] = request.url?.split('/') ?? []
        got.get(form)?.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
        if (answers !== 'nothing') response.writeHead(answers === 'well' ? 200 : 503).end()
      })
    })
    servers.push(receiver)
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const origin = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
    for (const format of forms) {
      const url = `http://hidden-user:hidden-password@${origin}/${format}/hidden-path?token=hidden-token`
      await it.api('PUT', `/api/webhooks/${format}`, { url, format, ...(format === 'json' && { secret: SECRET }) })
    }
    const agent = { agent: 'openai', model: 'scripted', scenario: 'small', command: undefined }
    const config = { ...agent, onLimit: 'ask', limits: { maxTokensPerBead: 10 } }
    await it.addProject('p', { files: shellProject({ agent: '', config }), beads: [{ id: 'p-1', title: 'One' }] })
    const each = (check: (requests: Request[], form: (typeof forms)[number]) => void) =>
      vi.waitFor(() => forms.forEach((form) => check(got.get(form) ?? [], form)), { timeout: 60_000, interval: 100 })

    const id = await it.queue('p', 'p-1', {})
    await each((requests) => expect(requests).toHaveLength(1)) // in flight: no receiver answers
    await killed()
    answers = '503'
    await it.again()
    await each((requests) => expect(requests.length).toBeGreaterThan(1))
    const view = await vi.waitFor(
      async () => {
        const now = await it.api<WebhooksView>('GET', '/api/webhooks')
        for (const { problem } of now.items) expect(problem).toBe('it answered 503')
        return now
      },
      { timeout: 60_000, interval: 100 },
    )
    for (const { waiting, tries, next, nextAt } of view.items) {
      expect({ waiting, next }).toMatchObject({ waiting: 1, next: { event: 'budget', project: 'p', bead: 'p-1' } })
      expect([tries >= 1, nextAt !== null]).toEqual([true, true])
    }
    await killed()
    answers = 'well'
    await it.again()
    await vi.waitFor(
      async () => {
        const { items } = await it.api<WebhooksView>('GET', '/api/webhooks')
        expect(items.map(({ waiting, problem }) => [waiting, problem])).toEqual(forms.map(() => [0, '']))
      },
      { timeout: 60_000, interval: 100 },
    )
    await it.keyed(`/api/executions/${id}/grants`, 'enough', { tokens: 1_000_000 })
    await it.ended(id)
    await each((requests) => expect(requests.at(-1)?.headers['beadloom-event']).toBe('merged'))
    tally({ fault: 'SIGKILL of the server', times: 2, sigkills: 2 })

    await each((requests, form) => {
      const events = new Map(requests.map(({ headers }) => [headers['beadloom-delivery'], headers['beadloom-event']]))
      expect([...events.values()]).toEqual(['budget', 'merged']) // each has one id, however often it came
      for (const { headers, body } of requests) {
        expect(body).not.toContain('hidden')
        if (form !== 'json') continue
        const signed = createHmac('sha256', SECRET).update(`${String(headers['beadloom-timestamp'])}.${body}`)
        expect(headers['beadloom-signature']).toBe(`sha256=${signed.digest('hex')}`)
      }
    })
    await killed()
    const kept = readdirSync(it.data, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name !== 'config.json')
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    for (const text of [...logged, JSON.stringify(view), ...kept])
      for (const word of ['hidden-', SECRET]) expect(text.includes(word)).toBe(false)
  } finally {
    rmSync(scenarios, { recursive: true, force: true })
  }
})
