import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { expect, test } from 'vitest'
import { followAdding } from './follow-adding.ts'
import { ApiFailure } from '../../api/client.ts'

const broken = new ApiFailure(0, 'no_answer', 'The server does not answer.')
const refused = new ApiFailure(409, 'cancelled', 'big is no longer added')

const view = (percent: number): AddingView => ({
  project: 'big',
  source: 'https://example.org/big.git',
  since: 0,
  doing: 'receiving objects',
  percent,
  bytes: null,
})

type Play = {
  /** The server's answers, look by look; an error: that look fails. After the last one nothing is being added. */
  looks: (AddingView | ApiFailure | null)[]
  /** The request for the project ends after this many looks, with this. */
  after: number
  answer: 'added' | ApiFailure
  /** The projects that there are in the end. */
  there?: string[]
}

function played({ looks, after, answer, there = [] }: Play) {
  const told: (number | null)[] = []
  const request = Promise.withResolvers<ProjectView>()
  let looked = 0
  const end = () => (answer === 'added' ? request.resolve({ id: 'big' } as ProjectView) : request.reject(answer))
  if (after === 0) end()
  const followed = followAdding({
    source: 'https://me:secret@example.org/big.git',
    add: () => request.promise,
    async adding() {
      const next = looks.shift() ?? null
      if (++looked === after) end()
      if (next instanceof Error) throw next
      return next === null ? [] : [next]
    },
    projects: async () => there.map((id) => ({ id, name: 'found' }) as ProjectView),
    tell: (own) => told.push(own?.percent ?? null),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  })
  return { followed, told }
}

test('the progress is shown until the server answers', async () => {
  const { followed, told } = played({ looks: [view(1), broken, view(9), view(10)], after: 4, answer: 'added' })
  expect(await followed).toEqual({ id: 'big' })
  expect(told).toEqual([1, 9, null])
})

test('a request that breaks is no end: the project is waited for', async () => {
  const looks = [view(1), view(2), broken, view(3)] // the request breaks during the second
  const { followed, told } = played({ looks, after: 2, answer: broken, there: ['other', 'big'] })
  expect(await followed).toEqual({ id: 'big', name: 'found' })
  expect(told).toEqual([1, 3, null, null])
})

test('a request that breaks before the first look is waited for too', async () => {
  const { followed } = played({ looks: [view(1)], after: 0, answer: broken, there: ['big'] })
  expect(await followed).toEqual({ id: 'big', name: 'found' })
})

test('a project that is not there after all is an error', async () => {
  const { followed } = played({ looks: [view(1), view(2)], after: 1, answer: broken })
  await expect(followed).rejects.toThrow('big was not added')
})

test('a request that breaks before the server has begun is that error', async () => {
  await expect(played({ looks: [], after: 0, answer: broken }).followed).rejects.toBe(broken)
})

test('a server that stays away is given up', async () => {
  const { followed } = played({ looks: Array.from({ length: 99 }, () => broken), after: 0, answer: broken })
  await expect(followed).rejects.toBe(broken)
})

test('a refusal of the server counts at once', async () => {
  await expect(played({ looks: [view(1)], after: 1, answer: refused }).followed).rejects.toBe(refused)
})
