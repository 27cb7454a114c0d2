import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HubError } from '../../ports/hub.ts'
import type { Git } from '../git/git.ts'
import { hardening, personsEnvironment, waysOut } from '../git/git-flags.ts'

type Person = Readonly<Record<string, string | undefined>>

/** A project's remote, ready for git: no configuration of a repository decides where a transfer goes. */
export type Remote = {
  /** Git's argument, without credentials. */
  url: string
  /** For sentences; without credentials. */
  name: string
  kind: 'path' | 'url'
  env: Record<string, string>
  config: string[]
  /** The programs on the other side, for paths: the same git with the same hardening, whatever the repository says. */
  uploadPack: string[]
  receivePack: string[]
  /** The same with another address of the host, and the same credentials (redirect.ts); for http remotes only. */
  elsewhere?: (url: URL) => Remote
}

/** `user@host:path`, as git and people write ssh. */
const SCP_LIKE = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^\s-]\S*$/
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Throws a HubError that says what is wrong with the source. `person`: the environment of the user of this server. */
export async function remoteOf(git: Git, source: string, person: Person): Promise<Remote> {
  // eslint-disable-next-line no-control-regex -- a newline in a URL could smuggle a line to a credential helper
  if (/[\x00-\x1f\x7f]/.test(source)) throw refused(source, 'it contains control characters')
  if (isAbsolute(source)) return pathRemote(git, source)
  if (/^file:\/\//i.test(source)) return pathRemote(git, pathOfFileUrl(source))
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return urlRemote(git, source, person)
  if (SCP_LIKE.test(source)) return sshRemote(git, source, source, person)
  throw refused(source, 'it is neither an absolute path nor an https or ssh URL')
}

/** The remote at an https address for anybody: with the person's proxy and certificates, and none of their rights. */
export async function publicRemoteOf(source: string, person: Person): Promise<Remote> {
  return httpRemote(httpUrl(source), null, waysOut(person))
}

/** For messages: a URL without its user and password. */
export const withoutCredentials = (text: string): string => text.replace(/(?<=\w:\/\/)[^/\s@]+@/g, '')

function refused(source: string, why: string): HubError {
  return new HubError(
    'refused',
    `${JSON.stringify(withoutCredentials(source.slice(0, 500)))} cannot be a project's repository: ${why}. Give an absolute path, or a URL that starts with https:// or ssh:// (or user@host:path).`,
  )
}

function pathOfFileUrl(source: string): string {
  try {
    return fileURLToPath(source)
  } catch (error) {
    throw refused(source, `it is not a usable file URL (${(error as Error).message})`)
  }
}

async function pathRemote(git: Git, path: string): Promise<Remote> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'an unknown error')
  if (typeof found === 'string') {
    const why = found === 'ENOENT' || found === 'ENOTDIR' ? 'There is no folder' : `Cannot read (${found})`
    throw new HubError('missing', `${why} ${path}: check the project's path, or clone the repository there.`)
  }
  if (!found.isDirectory()) throw new HubError('missing', `${path} is not a folder, so it cannot be a git repository.`)
  const real = await realpath(path)
  // Git refuses repositories of other users. The person named exactly this one, so exactly this one is allowed.
  const safe = [...new Set([path, real, join(path, '.git'), join(real, '.git')])]
  const config = [...hardening, ...otherSide, ...safe.map((folder) => `safe.directory=${folder}`)]
  const flags = config.map((setting) => `-c ${quoted(setting)}`).join(' ')
  // The other side may fetch from nowhere, whatever its configuration says about promisor remotes.
  const program = `GIT_ALLOW_PROTOCOL=none ${quoted(git.binary)} ${flags}`
  return {
    url: path,
    name: path,
    kind: 'path',
    env: { GIT_ALLOW_PROTOCOL: 'file' },
    config: [],
    uploadPack: [`--upload-pack=${program} upload-pack`],
    receivePack: [`--receive-pack=${program} receive-pack`],
  }
}

/** Never moves a checked out branch, whatever that repository would allow. */
const otherSide = ['receive.denyCurrentBranch=refuse', 'receive.autogc=false']

async function urlRemote(git: Git, source: string, person: Person): Promise<Remote> {
  if (/^ssh:/i.test(source) && URL.parse(source)?.hostname)
    return sshRemote(git, source, withoutCredentials(source), person)
  const url = httpUrl(source)
  const login = url.username === '' ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return httpRemote(url, login, personsEnvironment(person))
}

function httpUrl(source: string): URL {
  const url = URL.parse(source)
  if (!url || url.hostname === '') throw refused(source, 'it is not a usable URL')
  const local = url.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url.protocol === 'http:' && !local) throw refused(source, 'plain http would send your work readable to everybody')
  if (url.protocol !== 'https:' && !local) throw refused(source, `${url.protocol} URLs are not supported`)
  return url
}

function httpRemote(url: URL, login: string | null, env: Record<string, string>): Remote {
  // A setting for this exact address wins over all that the person has for a host.
  const settings: [string, string][] = [[`http.${url.href}.followRedirects`, 'false']]
  if (login !== null) {
    const basic = Buffer.from(login).toString('base64')
    settings.push([`http.${url.origin}/.extraHeader`, `Authorization: Basic ${basic}`])
  }
  return {
    url: url.href,
    name: url.href,
    kind: 'url',
    env: { ...env, GIT_ALLOW_PROTOCOL: url.protocol.slice(0, -1), ...settingsIn(settings) },
    config: ['http.lowSpeedLimit=1000', 'http.lowSpeedTime=60'],
    uploadPack: [],
    receivePack: [],
    elsewhere: (other) => httpRemote(other, login, env),
  }
}

/** Passes settings in the environment: a URL may hold a password, and everybody on the machine sees argument lists. */
function settingsIn(settings: [string, string][]): Record<string, string> {
  const named = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) }
}

async function sshRemote(git: Git, url: string, name: string, person: Person): Promise<Remote> {
  const env = personsEnvironment(person)
  const { GIT_SSH_COMMAND: own } = person
  const configured = own ?? (await git.text({ args: ['config', '--get', 'core.sshCommand'], env, answers: [1] }))
  return {
    url,
    name,
    kind: 'url',
    env: { ...env, GIT_ALLOW_PROTOCOL: 'ssh', GIT_SSH_COMMAND: withoutQuestions(configured || 'ssh') },
    config: [],
    uploadPack: [],
    receivePack: [],
  }
}

/** OpenSSH never asks and never hangs; another program stays as the person configured it. */
function withoutQuestions(command: string): string {
  const isOpenSsh = /^(?:\S*\/)?ssh(?:\s|$)/.test(command)
  return isOpenSsh ? `${command} -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=15` : command
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
