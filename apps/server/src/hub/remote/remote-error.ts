import { HubError, type HubErrorKind } from '../../ports/hub.ts'
import { GitFailure } from '../git/git.ts'
import { transferIn } from './transfer-reader.ts'
import { type Remote, withoutCredentials } from './remote.ts'

/** A proxy's answer, and git's own limits: the same push is too large the next time too. */
const TOO_LARGE = /\bHTTP 413\b|returned error: 413|exceeds maximum allowed size/i

/** The first pattern that fits decides. Git runs in the C locale, so its words are stable. */
const table: { kind: HubErrorKind; pattern: RegExp; sentence: (remote: Remote) => string }[] = [
  {
    kind: 'refused',
    pattern: TOO_LARGE,
    sentence: ({ name }) =>
      `${name} does not take so much at once. Raise its limit for a push (a proxy's limit of a request's size, or receive.maxInputSize), or keep large files out of the work.`,
  },
  {
    kind: 'auth',
    pattern:
      /could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|returned error: 40[13]/i,
    sentence: ({ name }) =>
      `${name} wants credentials, and Beadloom never asks for them. Make \`git ls-remote ${name}\` work without a question for the user who runs the server (a git credential helper in your own git configuration).`,
  },
  {
    kind: 'auth',
    pattern: /Permission denied \(|Too many authentication failures|No supported authentication/i,
    sentence: ({ name }) =>
      `${name} refused the ssh key. Load a key into the ssh agent of the user who runs the server (ssh-add) and check with \`git ls-remote ${name}\`.`,
  },
  {
    kind: 'auth',
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    sentence: ({ name }) =>
      `The host key of ${name} is not known. Connect once by hand as the user who runs the server (\`git ls-remote ${name}\`) and confirm the key.`,
  },
  {
    kind: 'missing',
    pattern: /does not appear to be a git repository|not a git repository/i,
    sentence: ({ name, kind }) =>
      kind === 'path'
        ? `${name} is not a git repository. Run \`git init\` there and make a first commit, or correct the project's path.`
        : `${name} is not a git repository. Correct the project's URL.`,
  },
  {
    kind: 'missing',
    pattern: /repository .{0,300}not found|returned error: 404|Repository not found/i,
    sentence: ({ name }) =>
      `${name} was not found. Correct the project's URL, or give your git credentials access to it.`,
  },
  {
    kind: 'refused',
    pattern: /fsck error|error in object|error in packed object/i,
    sentence: ({ name }) =>
      `${name} holds an object that git considers malformed or dangerous, so it is not fetched. \`git fsck --strict\` in that repository names it.`,
  },
  {
    kind: 'refused',
    pattern: /detected dubious ownership/i,
    sentence: ({ name }) => `${name} belongs to another user. Run the server as its owner.`,
  },
  {
    kind: 'refused',
    pattern: /transport '.{0,300}' not allowed/i,
    sentence: ({ name }) =>
      `${name} leads to a kind of address that Beadloom does not use (only https, ssh and paths).`,
  },
  {
    kind: 'unreachable',
    pattern:
      /Could not resolve|Connection (?:refused|timed out|reset|closed)|Failed to connect|unreachable|No route to host|unable to access|hung up|early EOF|RPC failed|certificate|Could not read from remote repository|Operation too slow/i,
    sentence: ({ name }) =>
      `${name} cannot be reached. Check the network and the address. Anything fetched earlier is kept.`,
  },
]

/** Git's error about a remote, as a HubError that says what to do. Errors of other kinds pass unchanged. */
export function remoteError(error: unknown, remote: Remote): unknown {
  if (error instanceof HubError && error.kind === 'timed-out') {
    return new HubError('timed-out', `${remote.name} did not answer in time. What the hub holds is kept; try again.`, {
      cause: error,
    })
  }
  if (!(error instanceof GitFailure)) return error
  const said = lastWords(error.stderr)
  if (error.kind === 'no-space') {
    const text = `The disk of the server is full, so git could not finish with ${remote.name} (git: ${said})`
    return new HubError('no-space', text, { cause: error })
  }
  const found = table.find(({ pattern }) => pattern.test(error.stderr))
  if (!found) return new HubError('git-failed', `git failed with ${remote.name}: ${said}`, { cause: error })
  return new HubError(found.kind, `${found.sentence(remote)} (git: ${said})`, { cause: error })
}

/** Whether a remote will never take this push, because of its size. */
export const isTooLarge = (error: unknown): boolean => error instanceof GitFailure && TOO_LARGE.test(error.stderr)

/** The lines that matter, without credentials, short enough for a person. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => transferIn(line) === null)
  const errors = lines.filter((line) => /^(?:fatal|error|remote|ssh|.*: )/i.test(line) && line !== '')
  const chosen = (errors.length > 0 ? errors : lines.filter((line) => line !== '')).slice(0, 3).join(' | ')
  return withoutCredentials(chosen).slice(0, 500) || 'it said nothing'
}
