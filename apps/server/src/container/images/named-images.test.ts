import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { DockerClient } from '../docker-client.ts'
import { fakeDaemon } from '../testing/fake-daemon.ts'
import { GivenImages } from './given-images.ts'
import { ImageStore } from './image-store.ts'
import { NamedImages } from './named-images.ts'

const NAME = 'ghcr.io/team/tools:2'
const ID = `sha256:${'a'.repeat(64)}`
const DIGEST = `ghcr.io/team/tools@sha256:${'b'.repeat(64)}`
/** Podman has the digests of all copies that it pushed or pulled, and a registry only one of them. */
const OTHER_DIGEST = `ghcr.io/team/tools@sha256:${'c'.repeat(64)}`
const never = new AbortController().signal

type Answers = {
  /** The answer to the question whether the registry gives it: status and text. */
  asked: [status: number, text: string]
  isPodman?: boolean
  /** The answer to a pull; absent: none is expected. */
  pulled?: string
}

/** An engine that has the image, with a registry's digest. */
async function world({ asked: [status, text], isPodman = false, pulled }: Answers) {
  const asked: string[] = []
  const answer: RequestListener = ({ method, url = '', headers }, response) => {
    const { pathname } = new URL(url, 'http://engine')
    const say = (code: number, body: unknown) => response.writeHead(code).end(JSON.stringify(body))
    if (pathname === `/images/${NAME}/json` || pathname === `/images/${DIGEST}/json`)
      return say(200, { Id: ID, RepoTags: [NAME], RepoDigests: isPodman ? [OTHER_DIGEST, DIGEST] : [DIGEST] })
    if (pathname === '/info') return say(200, { Plugins: { Log: isPodman ? ['k8s-file'] : ['local'] } })
    if (pathname === '/_ping') return say(200, 'OK')
    asked.push(`${method} ${pathname}`)
    if (pathname.startsWith('/distribution/')) return say(status, { message: text })
    if (url.includes('c'.repeat(64)) && pulled?.includes('Already exists'))
      return response.writeHead(200).end('{"error":"manifest unknown"}')
    const signIn = headers['x-registry-auth']
    asked.push(typeof signIn === 'string' ? Buffer.from(signIn, 'base64url').toString() : 'with any sign-in')
    return pulled === undefined ? say(500, {}) : response.writeHead(200).end(pulled)
  }
  const daemon = await fakeDaemon(answer)
  onTestFinished(() => daemon.close())
  const images = new ImageStore(
    new DockerClient({ env: { DOCKER_HOST: daemon.dockerHost }, clock: systemClock, bounds: { pollMs: 1 } }),
  )
  const ensure = (allowed: string[] = [], given = new GivenImages(null)) =>
    new NamedImages(images, allowed, { given }).ensure(NAME, 'its name', () => {}, never)
  return { ensure, asked }
}

const PODMAN = { asked: [404, 'Not Found'], isPodman: true } satisfies Answers

test.each<[string, number, string]>([
  ['no credentials', 500, 'Get "https://ghcr.io/v2/team/tools": no basic auth credentials'],
  ['unauthorized', 500, 'unauthorized: authentication required'],
  ['unauthenticated', 500, 'unauthenticated: User cannot be authenticated with the token provided.'],
  ['denied', 403, 'requested access to the resource is denied'],
  ['hidden', 404, 'manifest unknown'],
])('an image that its registry does not give to everybody (%s) is refused', async (_, status, text) => {
  const { ensure } = await world({ asked: [status, text] })
  await expect(ensure()).rejects.toThrow(
    /no registry gives it to everybody.* add "ghcr\.io\/team\/tools:2" to "images"/,
  )
  expect(await ensure(['ghcr.io/team/*'])).toBe(ID)
})

test.each<[string, number, string]>([
  ['too many requests', 429, 'toomanyrequests: You have reached your unauthenticated pull rate limit.'],
  ['no network', 500, 'Get "https://ghcr.io/v2/": dial tcp: lookup ghcr.io: no such host'],
])(
  'an image whose registry does not say so (%s) is refused, with the reason and what to do',
  async (_, status, text) => {
    const { ensure } = await world({ asked: [status, text] })
    await expect(ensure()).rejects.toMatchObject({
      kind: 'image-missing',
      message: expect.stringMatching(
        /did not say whether it gives it to everybody \(.*(toomanyrequests|no such host).*\)\. Try again .* add "ghcr\.io\/team\/tools:2" to "images" in config\.json/,
      ),
    })
  },
)

test('an image that a registry has given stays in use while the registry is away, also after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bl-given-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'given')
  const [open, away] = [await world({ asked: [200, ''] }), await world({ asked: [500, 'no such host'] })]
  await expect(away.ensure([], new GivenImages(file))).rejects.toThrow(/did not say/)
  expect(await open.ensure([], new GivenImages(file))).toBe(ID)
  expect(await away.ensure([], new GivenImages(file))).toBe(ID)
  expect(away.asked).toHaveLength(1)
})

test('Podman, which cannot be asked, pulls the image once more by its digest, without the sign-ins of its user', async () => {
  const { ensure, asked } = await world({ ...PODMAN, pulled: '{"status":"Already exists"}\n' })
  expect(await ensure()).toBe(ID)
  expect(asked.slice(2)).toEqual(['POST /images/create', '{"ghcr.io":{"username":"","password":"none"}}'])
})

test('an image that Podman has with a password, or whose registry is away, is refused', async () => {
  const pulled = (error: string) => `${JSON.stringify({ error, errorDetail: { message: error } })}\n`
  const closed = await world({ ...PODMAN, pulled: pulled('reading manifest 2 in ghcr.io/team/tools: unauthorized') })
  await expect(closed.ensure()).rejects.toThrow(/no registry gives it to everybody/)
  const away = await world({ ...PODMAN, pulled: pulled('pinging container registry ghcr.io: no such host') })
  await expect(away.ensure()).rejects.toThrow(/did not say whether .*no such host/s)
})
