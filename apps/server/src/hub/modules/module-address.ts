import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A repository's address, in the form of a project's source. */
export type Address = string

/** `asAnybody`: without any of the person's rights. */
export type Place = { address: Address; asAnybody: boolean }

/** `why` is the end of a sentence. */
export type Refused = { why: string }

const LONGEST = 1000
const SCP = /^((?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?)([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)(\S+)$/

/**
 * Finds where a submodule may be fetched from, by its address in `.gitmodules` of the repository at `parent`: relative
 * to it, or on the same host. Everything else is refused: the file's author would choose what this machine asks. A
 * submodule in the same folder of the host as `parent` is reached with the person's rights for that one, anything else
 * on the host with none: one owner's repository could have another's fetched.
 */
export function moduleAddress(parent: Address, url: string): Place | Refused {
  // eslint-disable-next-line no-control-regex -- as in remote.ts: nothing of a URL may look like two
  if (url.length > LONGEST || /[\x00-\x20\x7f\\]/.test(url) || url.startsWith('-') || url.includes('::'))
    return unusable
  const own = locate(parent)
  if (own === null) return unusable
  if (/^\.\.?(?:\/|$)/.test(url)) return relative(own, url)
  const other = locate(url)
  if (other === null) return unusable
  if (other.kind === 'path') return { why: 'its address is a folder of somebody’s machine' }
  if (own.kind === 'path')
    return { why: 'it is not in the working tree, and nothing else of a project on this machine is asked' }
  if (other.host !== own.host) return { why: `it is on ${other.host}, and the project is on ${own.host}` }
  const path = checkedPath(other.path)
  return path === null ? unusable : placeOf(own, path)
}

/** Most hosts ignore case, so another case is no reason to ask with fewer rights. */
function placeOf(own: Extract<Located, { kind: 'host' }>, path: string): Place {
  const folder = own.path.split('/').slice(0, -1).join('/').toLowerCase()
  const isBeside = folder === '' ? !path.includes('/') : path.toLowerCase().startsWith(`${folder}/`)
  return isBeside ? { address: own.at(path), asAnybody: false } : { address: own.publicAt(path), asAnybody: true }
}

const unusable: Refused = { why: 'its address is none that Beadloom uses' }

/**
 * `path` without a slash at its beginning; `at`: another one at the same place; `publicAt`: its address for anybody.
 */
type Located =
  | { kind: 'path'; path: string }
  | { kind: 'host'; host: string; path: string; at: (path: string) => Address; publicAt: (path: string) => Address }

function locate(source: string): Located | null {
  if (isAbsolute(source)) return { kind: 'path', path: resolve(source) }
  if (/^file:\/\//i.test(source)) return fileAt(source)
  if (/^(?:https?|ssh):\/\//i.test(source)) return urlAt(source)
  const [, user = '', host, path] = SCP.exec(source) ?? []
  if (host === undefined || path === undefined) return null
  const root = path.startsWith('/') ? '/' : ''
  const at = (other: string) => `${user}${host}:${root}${other}`
  const publicAt = (other: string) => `https://${host}/${other}`
  return { kind: 'host', host: host.toLowerCase(), path: path.replace(/^\/+/, ''), at, publicAt }
}

function fileAt(source: string): Located | null {
  try {
    return { kind: 'path', path: fileURLToPath(source) }
  } catch {
    return null
  }
}

function urlAt(source: string): Located | null {
  const url = URL.parse(source)
  if (url === null || url.hostname === '') return null
  const at = (path: string) => {
    const other = new URL(url)
    other.pathname = `/${path}`
    other.search = other.hash = ''
    return other.href
  }
  const publicAt = (path: string) =>
    url.protocol === 'ssh:' ? `https://${url.hostname}/${path}` : `${url.protocol}//${url.host}/${path}`
  return { kind: 'host', host: url.hostname.toLowerCase(), path: url.pathname.replace(/^\/+/, ''), at, publicAt }
}

/** Read as git does: each `..` takes the last part of the parent's address. */
function relative(own: Located, url: string): Place | Refused {
  const parts = own.path.split('/').filter(Boolean)
  let ups = 0
  for (const part of url.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') {
      parts.push(part)
      continue
    }
    ups += 1
    if (parts.pop() === undefined) return { why: 'its address leads out of the host' }
  }
  // The file's author may choose no other repository of this machine, except one that lies beside.
  if (own.kind === 'path' && ups > 1) return { why: 'its address leads to another folder of this machine' }
  const path = checkedPath(parts.join('/'))
  if (path === null) return unusable
  return own.kind === 'path' ? { address: join('/', path), asAnybody: false } : placeOf(own, path)
}

/** The path; null: a part of it could be an option, or lead elsewhere. */
function checkedPath(path: string): string | null {
  const parts = path.split('/').filter(Boolean)
  const isOdd = parts.some(
    (part) => part === '.' || part === '..' || part.startsWith('-') || /%(?:00|2e|2f|5c)/i.test(part),
  )
  return parts.length === 0 || isOdd ? null : parts.join('/')
}
