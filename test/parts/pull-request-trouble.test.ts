// @suite unit-long
import { rename } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PullRequestId } from '@beadloom/core/records/ids.ts'
import { Problem } from '@beadloom/server/src/ports/problem.ts'
import { ForgeError } from '@beadloom/server/src/ports/forge.ts'
import { PullRequestKit } from './pull-request-kit.ts'

const DAY = 24 * 3_600_000
let kit: PullRequestKit
beforeEach(async () => {
  kit = await PullRequestKit.start()
})
afterEach(() => kit.close())

describe('a partner that is away', () => {
  const away = (retryAt: number | null = null) => {
    kit.forge.before = () => {
      throw new ForgeError('unavailable', 'git.test answered 503', { retryAt })
    }
  }

  test('is asked again by itself if it is a forge, as late as it says, also by the next server', async () => {
    await kit.merged('bl-a')
    const { clock } = kit.publish
    const told = clock.now() + 3_600_000
    away(told)
    const { view } = await kit.ask()
    kit.judge(view.review!)
    const waiting = await kit.when(view.id, (row) => row.away !== null)
    expect(waiting).toMatchObject({ state: 'opening', away: { nextAt: told }, detail: expect.stringContaining('503') })
    await kit.restart()
    clock.advance(1_800_000)
    kit.forge.before = () => {}
    expect(kit.row(view.id).state).toBe('opening')
    clock.advance(1_800_000)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', away: null })
    expect(kit.forge.open_).toHaveLength(1)
  })

  test('for a day ends it', async () => {
    await kit.merged('bl-a')
    const { clock } = kit.publish
    kit.forge.before = () => {
      throw new ForgeError('unavailable', 'git.test answered 503', { retryAt: clock.now() + DAY / 4 })
    }
    const { view } = await kit.ask()
    kit.judge(view.review!)
    let over = false
    const end = kit.ended(view.id).finally(() => (over = true))
    const started = clock.now()
    while (!over) {
      if (clock.sleepers > 0) clock.advance(DAY / 8)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await end).toMatchObject({ state: 'failed', detail: expect.stringContaining('503') })
    expect(clock.now() - started).toBeGreaterThanOrEqual(DAY)
    expect(kit.forge.asked).toHaveLength(4)
  })

  test('gets the push again if it is the remote', async () => {
    const commit = await kit.merged('bl-a')
    const { view } = await kit.ask()
    await rename(kit.publish.remote, `${kit.publish.remote}.away`)
    kit.judge(view.review!)
    await kit.when(view.id, (row) => row.away !== null)
    expect(kit.forge.asked).toEqual([])
    await rename(`${kit.publish.remote}.away`, kit.publish.remote)
    kit.publish.clock.advance(10_000)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', pushed: commit })
  })
})

describe('a server that dies', () => {
  test('between the push and the opening opens exactly one', async () => {
    const commit = await kit.merged('bl-a')
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    let die: (why: Error) => void = () => {}
    kit.forge.before = () => (reached(), new Promise((_, reject) => (die = reject)))
    const { view } = await kit.ask()
    kit.judge(view.review!)
    await there
    expect(await kit.remoteTip()).toBe(commit)
    const over = kit.restart()
    die(new Error('SIGKILL'))
    kit.forge.before = () => {}
    await over
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', number: 1 })
    expect(kit.forge.open_).toHaveLength(1)
  })

  test('after the forge opened it, but before that is known here, finds it', async () => {
    await kit.merged('bl-a')
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    let die: (why: Error) => void = () => {}
    kit.forge.after = () => (reached(), new Promise((_, reject) => (die = reject)))
    const { view } = await kit.ask()
    kit.judge(view.review!)
    await there
    const over = kit.restart()
    die(new Error('SIGKILL'))
    kit.forge.after = () => {}
    await over
    expect(await kit.ended(view.id)).toMatchObject({
      state: 'open',
      number: 1,
      detail: expect.stringContaining('already open'),
    })
    expect(kit.forge.open_).toHaveLength(1)
  })

  test('goes down at once, also while it asks a remote that does not answer', async () => {
    await kit.merged('bl-a')
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    const { view } = await kit.ask()
    await kit.restart({ fetch: () => (reached(), new Promise<never>(() => {})) })
    await kit.merged('bl-b')
    kit.judge(view.review!)
    await there
    await kit.restart()
    const { review } = await kit.when(view.id, ({ reviews }) => reviews === 2)
    kit.judge(review)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open' })
  })

  test('while the review runs continues with that review', async () => {
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    await kit.restart()
    kit.judge(view.review!)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open' })
    expect(kit.reviews()).toHaveLength(1)
  })
})

describe('a cancel', () => {
  const cancel = async (id: string) => kit.api.cancel(id as PullRequestId)

  test('during the review ends the review too', async () => {
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    expect(await cancel(view.id)).not.toBeInstanceOf(Problem)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('Cancelled') })
    expect(kit.store.execution(kit.row(view.id).review)?.state).toBe('CANCELLED')
    expect(await cancel(view.id)).toMatchObject({ status: 409 })
  })

  test('while it waits for the forge takes effect at once', async () => {
    await kit.merged('bl-a')
    kit.forge.before = () => {
      throw new ForgeError('unavailable', '503', { retryAt: kit.publish.clock.now() + DAY / 2 })
    }
    const { view } = await kit.ask()
    kit.judge(view.review!)
    await kit.when(view.id, (row) => row.away !== null)
    await cancel(view.id)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('Cancelled') })
    expect(kit.forge.open_).toEqual([])
  })
})
