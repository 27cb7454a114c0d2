import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { sized } from '../crash/size.ts'
import { tally } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { shellProject } from '../support/shell-project.ts'

/* Kills while a webhook is told: each merge, failure and question is told, and each under one id. */

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

type Got = { id: string; event: string; execution: string }
const KILLS = sized(2, 20)
const agent = `prompt=$(cat)
case "$prompt" in *"[asks]"*) echo "BLOCKED: which one?" ;; *"[fails]"*) exit 3 ;; *) echo done > done.txt ;; esac
`
const kinds = [
  ['asks', 'needs_you', 'BLOCKED'],
  ['fails', 'failed', 'FAILED'],
  ['works', 'merged', 'COMPLETED'],
] as const

test(`over ${KILLS} kills between a notice and its answer, every end is told, under one id each`, async () => {
  victim = await Victim.start()
  const got: Got[] = []
  let hold: (() => void) | null = null
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push(JSON.parse(Buffer.concat(parts).toString()) as Got)
      if (hold === null) return void response.end()
      hold() // the receiver has the notice, but the server never learns that
      hold = null
    })
  })
  servers.push(receiver)
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await victim.api('PUT', '/api/webhooks/ops', { url })
  const beads = Array.from({ length: KILLS }, (_, n) =>
    kinds.map(([kind]) => ({ id: `${kind}-${n}`, title: `[${kind}] ${n}` })),
  )
  await victim.addProject('told', {
    files: shellProject({ agent, config: { verification: { maxAttempts: 1 }, retry: { retryCount: 0 } } }),
    beads: beads.flat(),
  })
  const ended: ExecutionView[] = []
  for (const round of beads) {
    const reached = new Promise<void>((resolve) => (hold = resolve))
    const ids: string[] = []
    for (const { id } of round) ids.push(await victim.queue('told', id))
    await reached
    await victim.kill()
    await victim.again()
    for (const id of ids) {
      await victim.over(id)
      ended.push(await victim.execution(id))
    }
  }
  await vi.waitFor(() => expect(new Set(got.map(({ execution }) => execution)).size).toBe(ended.length), {
    timeout: 60_000,
    interval: 100,
  })
  tally({ fault: 'SIGKILL of the server', times: KILLS, sigkills: KILLS })
  const told = new Map(got.map((one) => [one.id, one])) // a repeated notice has the id of the first
  expect([...told.values()].map(({ event, execution }) => `${execution} ${event}`).toSorted()).toEqual(
    ended.map(({ id, state }) => `${id} ${kinds.find(([, , end]) => end === state)?.[1] ?? state}`).toSorted(),
  )
  expect(got.length).toBeGreaterThanOrEqual(told.size + 1) // at least one came twice, because of a kill
})
