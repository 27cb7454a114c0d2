import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import { expect, test } from 'vitest'
import { followAdding } from './follow-adding.ts'
import { NoServer } from '../../health/server-file.ts'

/* A made-up server: its answers, look by look. */

const source = 'https://me:secret@example.org/big.git'
const view = (doing: string, percent: number | null = null, bytes: number | null = null): AddingView => ({
  project: 'big',
  source: 'https://example.org/big.git',
  since: 0,
  doing,
  percent,
  bytes,
})

type Play = { looks: (AddingView | null)[]; answer?: 'added' | 'lost' | 'cancelled' }

function played({ looks, answer = 'added' }: Play) {
  const told: (string | null)[] = []
  const asked: string[] = []
  let end: (error: Error | null) => void = () => {}
  const ended = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())))
  ended.catch(() => {})
  const api = {
    get: async (path: string) => {
      if (path !== '/api/adding') return { id: 'big', path }
      const next = looks.shift() ?? null
      if (looks.length === 0 && answer !== 'cancelled') end(answer === 'lost' ? new NoServer('lost') : null)
      return { items: next === null ? [] : [next] }
    },
    send: async (method: string, path: string, body: unknown) => {
      asked.push(`${method} ${path} ${JSON.stringify(body ?? null)}`)
      if (method === 'DELETE') return void end(new Error('cancelled'))
      await ended
      return { id: 'big' }
    },
  }
  const stop = new AbortController()
  const run = (id?: string) =>
    followAdding({
      api: api as unknown as Parameters<typeof followAdding>[0]['api'],
      source,
      id,
      tell: (text) => told.push(text),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      stop: stop.signal,
    })
  return { run, told, asked, stop }
}

test('prints how far the fetch is, without the login, and nothing once it is there', async () => {
  const { run, told, asked } = played({
    looks: [null, view('counting objects'), view('receiving objects', 42, 220_000_000), view('reading its files')],
  })
  expect(await run()).toMatchObject({ id: 'big' })
  expect(asked).toEqual([`POST /api/projects ${JSON.stringify({ source })}`])
  expect(told).toEqual(['counting objects', 'receiving objects: 42%, 210 MiB', 'reading its files', null])
})

test('an interrupt ends the adding and not just the wait for it', async () => {
  const { run, asked, stop } = played({ looks: [view('receiving objects', 1)], answer: 'cancelled' })
  const running = run('big')
  await expect.poll(() => asked.length).toBe(1)
  stop.abort()
  await expect(running).rejects.toThrow('cancelled')
  expect(asked.at(-1)).toBe('DELETE /api/adding/big null')
})

test('a connection lost on the way ends nothing: the command waits for the result', async () => {
  const looks = [view('receiving objects', 1), view('receiving objects', 2)]
  const { run } = played({ looks, answer: 'lost' })
  expect(await run()).toMatchObject({ id: 'big', path: '/api/projects/big' })
})

test('a connection that is lost before anything was seen is an error', async () => {
  const { run } = played({ looks: [null], answer: 'lost' })
  await expect(run()).rejects.toThrow(NoServer)
})
