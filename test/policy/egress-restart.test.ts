// @suite policy-long
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

const start = worldsOfATest()
const egress = { resolve: async () => ['127.0.0.1'], isPublic: (address: string) => address === '127.0.0.1' }

test('a server that goes away breaks connections off, and the next one has new ones and the same ledger', async () => {
  const held: ServerResponse[] = []
  let isHeld = true
  const asked = Promise.withResolvers<void>()
  const outside = createServer((request, response) => {
    if (request.url !== '/held' || !isHeld) return response.end('from outside\n')
    response.write('half of it\n')
    held.push(response)
    asked.resolve()
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  onTestFinished(() => {
    for (const response of held) response.destroy()
    outside.close()
  })
  const host = `files.example.org:${(outside.address() as AddressInfo).port}`
  const agent = `curl -s -f http://${host}/first
until curl -s -f http://${host}/held > answer.txt; do echo "broken off"; done
${commitAndPush('r-1', 'Fetch')}`

  const first = await start({ egress })
  const files = shellProject({ agent, config: { network: { allow: [host] } } })
  const { remote } = await first.addProject('r', files, [{ id: 'r-1', title: 'Fetch' }])
  const { id } = await first.queue('r', 'r-1')
  await asked.promise
  await first.server.stop()
  isHeld = false

  const again = await start({ data: first.data, host: first.host, egress })
  const ended = await again.ended(id)
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(await again.log(ended.sessions.find(({ kind }) => kind === 'work')?.id ?? '')).toContain('broken off')
  expect(git(remote, 'show', 'beadloom/work:answer.txt')).toBe('from outside')
  const { items, reached } = await again.get<EgressView>(`/api/executions/${id}/egress`)
  expect(reached).toBe('git, model, 1 of 1 host')
  expect(items).toMatchObject([{ outcome: 'reached', count: 3 }])
})
