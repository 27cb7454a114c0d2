import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgeKinds } from '../ports/forge.ts'
import { CANARY, forgeKit, work, type Kit } from './testing/forge-kit.ts'

describe.each(forgeKinds)('%s', (kind) => {
  let kit: Kit
  beforeEach(async () => {
    kit = await forgeKit(kind)
  })
  afterEach(() => kit.end())
  const open = (change = {}) => kit.forges.open(kit.repository, { ...work, ...change })
  const changes = () => kit.fake.asked.filter(({ method }) => method !== 'GET')

  test('opens one, with the token in a header and nowhere else', async () => {
    const opened = await open()
    expect(opened).toMatchObject({ number: 1, existed: false })
    expect(kit.fake.pulls).toMatchObject([{ head: 'work', base: 'main', title: 'The work', body: 'What was done.\n' }])
    expect(kit.fake.asked.every(({ token }) => token === CANARY)).toBe(true)
    expect(kit.fake.asked.some(({ path, query }) => `${path}${query}`.includes(CANARY))).toBe(false)
  })

  test('gives the address of its page on the host that was named, whatever the answer says', async () => {
    const { url } = await open()
    const page = { github: 'pull/1', gitlab: '-/merge_requests/1', gitea: 'pulls/1' }[kind]
    expect(url).toBe(`${kit.fake.url}/${kit.repository.path}/${page}`)
  })

  test('asked twice, opens one and leaves it as it is', async () => {
    await open()
    expect(await open()).toMatchObject({ number: 1, existed: true })
    expect(changes()).toHaveLength(1)
  })

  test('updates the text of an open one', async () => {
    kit.fake.add({ title: 'Old', body: 'old' })
    expect(await open()).toMatchObject({ number: 1, existed: true })
    expect(kit.fake.pulls).toMatchObject([{ title: 'The work', body: 'What was done.\n' }])
  })

  test('leaves a closed one and one of other branches alone', async () => {
    kit.fake.add({ open: false })
    kit.fake.add({ base: 'release' })
    kit.fake.add({ head: 'work-2' })
    expect(await open()).toMatchObject({ number: 4, existed: false })
    expect(kit.fake.pulls.slice(0, 3).every(({ title }) => title === 'By hand')).toBe(true)
  })

  test("does not take a stranger's pull request, whose branch has the same name, for its own", async () => {
    for (let number = 0; number < 55; number++) kit.fake.add({ fork: true })
    expect(await open()).toMatchObject({ number: 56, existed: false })
    expect(await open({ title: 'Later' })).toMatchObject({ number: 56, existed: true })
    expect(kit.fake.pulls.filter(({ title }) => title !== 'By hand')).toMatchObject([{ number: 56, title: 'Later' }])
  })

  test('finds the one that somebody opened between its look and its own', async () => {
    kit.fake.instead = ({ method }) => void (method === 'POST' && kit.fake.pulls.length === 0 && kit.fake.add({}))
    expect(await open()).toMatchObject({ number: 1, existed: true })
    expect(kit.fake.pulls).toMatchObject([{ title: 'The work' }])
  })

  test('gives two simultaneous callers the same one, even if the forge would open two', async () => {
    kit.fake.instead = ({ method, body }) => {
      if (method !== 'POST') return undefined
      const made = kit.fake.add({ title: body['title'] ?? '', body: body['body'] ?? body['description'] ?? '' })
      return { status: 201, json: kit.fake.shown(made) }
    }
    const both = await Promise.all([open(), open(), kit.forges.open(kit.repository, { ...work, head: 'other' })])
    expect(both.map(({ existed }) => existed)).toEqual([false, true, false])
    expect(kit.fake.pulls).toHaveLength(2)
  })

  test('lets a caller go at once that gives up while another one asks, and the one after it still waits', async () => {
    const stop = new AbortController()
    const arrived = Promise.withResolvers<void>()
    let hold: (() => void) | null = null
    kit.fake.instead = () => (response) => {
      hold = () => response.destroy()
      arrived.resolve()
    }
    const first = open().catch((error: unknown) => error)
    await arrived.promise
    const second = kit.forges.open(kit.repository, work, stop.signal)
    const third = open()
    stop.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    expect(kit.fake.asked).toHaveLength(1)
    kit.fake.instead = () => undefined
    hold!()
    expect(await first).toMatchObject({ kind: 'unavailable' })
    expect(await third).toMatchObject({ number: 1, existed: false })
  })

  test('leaves one that the next call finds if the answer is lost on the way', async () => {
    kit.fake.instead = ({ method, body }) => {
      if (method !== 'POST') return undefined
      kit.fake.add({ title: body['title'] ?? '', body: body['body'] ?? body['description'] ?? '' })
      return (response) => response.destroy()
    }
    await expect(open()).rejects.toMatchObject({ name: 'ForgeError', kind: 'unavailable' })
    expect(await open()).toMatchObject({ number: 1, existed: true })
    expect(kit.fake.pulls).toHaveLength(1)
  })

  test('says so when the forge has one that its list does not have', async () => {
    kit.fake.instead = ({ method }) => {
      if (method === 'GET') return { status: 200, json: [] }
      if (kit.fake.pulls.length === 0) kit.fake.add({})
      return undefined
    }
    const error = { kind: 'refused', message: expect.stringMatching(/already.*close or merge it/) }
    await expect(open()).rejects.toMatchObject(error)
  })

  test('cuts a title and a text that are longer than a forge takes', async () => {
    await open({ title: `A\n${'t'.repeat(400)}`, body: 'b'.repeat(100_000) })
    const [pull] = kit.fake.pulls
    expect(pull?.title).toMatch(/^A t+…$/)
    expect(pull?.title.length).toBeLessThanOrEqual(255)
    expect(pull?.body.length).toBeLessThan(65_536)
    expect(pull?.body).toMatch(/\(cut\)$/)
  })
})

test('a draft of GitLab or Gitea stays a draft', async () => {
  for (const kind of ['gitlab', 'gitea'] as const) {
    const { fake, forges, repository, end } = await forgeKit(kind)
    fake.add({ title: 'Draft: Old' })
    await forges.open(repository, work)
    expect(fake.pulls).toMatchObject([{ title: 'Draft: The work' }])
    await end()
  }
})

test('no line of an agent becomes a command of GitLab: /merge in a text is text', async () => {
  const { fake, forges, repository, end } = await forgeKit('gitlab')
  const body = 'Done.\n/merge\n  /approve\r\n/assign @eve\na/b\n\n/close'
  await forges.open(repository, { ...work, body })
  expect(fake.pulls[0]?.body).toBe('Done.\n\\/merge\n  \\/approve\r\n\\/assign @eve\na/b\n\n\\/close')
  await forges.open(repository, { ...work, body: '/merge' })
  expect(fake.pulls[0]?.body).toBe('\\/merge')
  await end()
})

test('a repository of GitHub that has a new owner is found behind its redirects', async () => {
  const { fake, forges, repository, end } = await forgeKit('github')
  fake.add({})
  fake.instead = ({ method, path, query }) => {
    const [, rest] = /^\/api\/v3\/repos\/ada\/library(.*)$/.exec(path) ?? []
    if (rest !== undefined) {
      const headers = { location: `/api/v3/repositories/1${rest}?${query}` }
      return { status: method === 'GET' ? 301 : 307, text: '', headers }
    }
    if (method === 'PATCH') return { status: 200, json: fake.shown({ ...fake.pulls[0]!, title: 'The work' }) }
    if (method === 'POST')
      return { status: 422, json: { errors: [{ message: 'A pull request already exists for new:work.' }] } }
    // The branch is unknown under the old owner's name.
    return { status: 200, json: query.has('head') ? [] : fake.pulls.map((pull) => fake.shown(pull)) }
  }
  expect(await forges.open(repository, work)).toMatchObject({ number: 1, existed: true })
  expect(fake.asked.at(-1)).toMatchObject({ method: 'PATCH', body: { title: 'The work' } })
  await end()
})
