import { HubError } from '../../ports/hub.ts'
import { type Git, GitFailure } from '../git/git.ts'
import type { Remote } from './remote.ts'

/*
 * Git follows no redirect: it would send this remote's password and pushes to anybody an answer names. The target is
 * read here from the answer's head that git prints, so that the request is git's usual one, through the person's proxy
 * and with their certificates; only another address of the same host is used.
 */

const MOST_REDIRECTS = 5
const ASK_TIMEOUT_MS = 60_000
const LONGEST_NAME = 300

/** Git's own words for a redirect. */
const REDIRECTED = /returned error: 30[12378]\b/
const END = '/info/refs'

/**
 * Uses a remote; after a redirect to the same host, uses the new address instead. Throws `HubError` if it leads to
 * another host, or to no repository.
 */
export async function throughRedirects<T>(
  git: Git,
  remote: Remote,
  use: (remote: Remote) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let at = remote
  for (let followed = 0; ; followed += 1) {
    try {
      return await use(at)
    } catch (error) {
      if (!wasRedirected(error) || !at.elsewhere) throw error
      if (followed === MOST_REDIRECTS)
        throw new HubError('unreachable', `${remote.name} redirects more than ${MOST_REDIRECTS} times. ${CORRECT}`)
      const location = await locationOf(git, at, signal)
      if (location === null) throw error
      at = at.elsewhere(repositoryAt(at, location))
    }
  }
}

const CORRECT = 'If the repository has moved, correct the project’s URL.'

/** Whether this is git's error for a redirect, or the sentence made of it. */
function wasRedirected(error: unknown): boolean {
  if (error instanceof GitFailure) return REDIRECTED.test(error.stderr)
  return error instanceof HubError && error.cause instanceof GitFailure && REDIRECTED.test(error.cause.stderr)
}

const RECEIVED = '<= Recv header: '

/** The target of the last answer; null: it is no redirect. Git prints no credential there. */
async function locationOf(git: Git, { url, env, config }: Remote, signal?: AbortSignal): Promise<string | null> {
  const { stderr } = await git.run({
    args: ['ls-remote', '--end-of-options', url, 'HEAD'],
    env: { ...env, GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' },
    config,
    answers: [128],
    timeoutMs: ASK_TIMEOUT_MS,
    signal,
  })
  let location: string | null = null
  for (const line of stderr.split('\n')) {
    const at = line.indexOf(RECEIVED)
    const header = at < 0 ? '' : line.slice(at + RECEIVED.length).trimEnd()
    if (header.startsWith('HTTP/')) location = null
    const [, found] = /^location:\s*(\S+)\s*$/i.exec(header) ?? []
    if (found !== undefined) location = found
  }
  return location
}

function repositoryAt(remote: Remote, location: string): URL {
  const from = new URL(remote.url)
  const asked = new URL(from)
  asked.pathname = `${from.pathname.replace(/\/$/, '')}${END}`
  const to = URL.parse(location, asked.href)
  if (to === null)
    throw new HubError('unreachable', `${remote.name} redirects to something that is no address. ${CORRECT}`)
  // Without the part after the path: it may be a pass.
  const name = `${to.origin === 'null' ? to.protocol : to.origin}${to.pathname.replace(/\/info\/refs$/, '')}`
  const shown = name.slice(0, LONGEST_NAME)
  if (!isSameHost(from, to))
    throw new HubError(
      'unreachable',
      `${remote.name} redirects to ${shown}. Beadloom doesn't follow it from ${from.host} to ${to.host || 'there'}, which would get your credentials and your work. ${CORRECT}`,
    )
  if (!to.pathname.endsWith(END))
    throw new HubError(
      'unreachable',
      `${remote.name} redirects to ${shown}, which is no git repository. ${CORRECT} If it wants credentials, give them to git: \`git ls-remote ${remote.name}\` has to work without a question.`,
    )
  to.pathname = to.pathname.slice(0, -END.length)
  to.username = to.password = to.search = to.hash = ''
  return to
}

/** Another port is another program, and may be another person's. From http to https nothing is lost. */
const isSameHost = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && from.port + to.port === '')
