import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { OpenStore } from '../../apps/server/src/store/open-store.ts'
import { bead, demo, openTestStore, running, seededRandom } from '../../apps/server/src/store/testing.ts'
import { systemClock, type Clock } from '../../apps/server/src/process/clock.ts'
import { createLogger } from '../../apps/server/src/process/logger.ts'
import type { WebhookSettings } from '../../apps/server/src/process/settings/webhook-settings.ts'
import { Webhooks, type WebhookBounds } from '../../apps/server/src/webhooks/webhooks.ts'

/* A real receiver with the answers of the test, a real database, and webhooks between them. */

export const quick: WebhookBounds = {
  lookMs: 5,
  timeoutMs: 5_000,
  firstPauseMs: 2,
  longestPauseMs: 4,
  giveUpMs: 3_600_000,
}
type Got = { id: string; event: string; bead: string; text: string }

/** Its answer can be changed; `got` has everything that arrived whole, in order, repetitions too. */
export async function receiver() {
  const got: Got[] = []
  const paths: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let answer: RequestListener = (_, response) => response.end('ok')
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    headers.push(request.headers)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push(JSON.parse(Buffer.concat(parts).toString()) as Got)
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook-secret-path`
  return { url, got, paths, headers, answers: (next: RequestListener) => (answer = next) }
}

export function place(): { open: () => OpenStore } {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-webhooks-'))
  const stores: OpenStore[] = []
  onTestFinished(() => {
    for (const store of stores) store.close()
    rmSync(folder, { recursive: true })
  })
  return {
    open: () => {
      stores.pop()?.close()
      const store = openTestStore(join(folder, 'beadloom.db'), {
        clock: systemClock,
        random: seededRandom(stores.length + 3),
      })
      stores.push(store)
      return store
    },
  }
}

export const hookOf = (url: string, given: Partial<WebhookSettings> = {}): WebhookSettings => ({
  name: 'ops',
  url,
  format: 'json',
  secret: null,
  events: ['needs_you', 'failed', 'merged', 'budget'],
  projects: null,
  ...given,
})

export function start(
  store: OpenStore,
  hooks: WebhookSettings[],
  bounds: Partial<WebhookBounds> = {},
  clock: Clock = systemClock,
) {
  const stopping = new AbortController()
  const webhooks = new Webhooks({
    hooks,
    store: store.patient,
    link: () => null,
    clock,
    random: seededRandom(),
    log: createLogger('silent'),
    bounds: { ...quick, ...bounds },
  })
  const ended = webhooks.run(stopping.signal)
  const stop = async () => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  return { webhooks, stop }
}

export const blocked: ExecutionEnd = { state: 'BLOCKED', detail: 'It has a question', blockedReason: 'MIT or GPL?' }
export const failed: ExecutionEnd = { state: 'FAILED', reason: 'no_progress', detail: 'No step forward' }
export const completed: ExecutionEnd = { state: 'COMPLETED', commit: 'c', detail: '' }
export const end = (store: OpenStore, bead: string, how: ExecutionEnd) => store.endExecution(running(store, bead), how)
/** The end of an execution with a plan. */
export function endOfPlan(store: OpenStore, id: string, how: ExecutionEnd): void {
  const result = store.queueExecution({
    id: newExecutionId(chance),
    project: demo,
    bead: bead(id),
    kind: 'work',
    branch: `beads-${id}`,
    context: '',
    maxAttempts: 3,
    planVersion: 1,
  })
  if ('refused' in result) throw new Error(result.refused)
  store.startExecution(result.id, 9_999_999)
  store.endExecution(result.id, how)
}
const chance = seededRandom(11)

export const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 })
export const nothingLeft = (store: OpenStore) =>
  until(() => {
    expect(store.webhooks()).not.toEqual([])
    for (const { waiting, problem } of store.webhooks()) expect([waiting, problem]).toEqual([0, ''])
  })
