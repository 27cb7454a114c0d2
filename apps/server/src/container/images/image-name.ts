import { isLocal, looksLikeAddress } from '@beadloom/core/egress/host-name.ts'

/* Names of images: `postgres`, `docker.io/library/postgres:latest` and Podman's forms of it are one name. */

/** Completes a name with registry, path and tag or digest. An id looks like a name of the usual registry. */
export function fullName(name: string): string {
  const [first = '', ...rest] = name.split('/')
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const [registry, path] = hasRegistry ? [first, rest.join('/')] : ['docker.io', name]
  const whole = `${registry === 'index.docker.io' ? 'docker.io' : registry}/${path}`
  const inLibrary = /^docker\.io\/[^/]+$/.test(whole) ? whole.replace('/', '/library/') : whole
  return hasTag(inLibrary) ? inLibrary : `${inLibrary}:latest`
}

/** The name without tag and digest. */
export function repositoryOf(name: string): string {
  const [whole = ''] = fullName(name).split('@')
  const at = whole.lastIndexOf(':')
  return at > whole.lastIndexOf('/') ? whole.slice(0, at) : whole
}

/** The registry in a name, with the port. */
export const hostOf = (name: string): string => repositoryOf(name).split('/', 1)[0] ?? ''

/**
 * Whether the name's registry is on the engine's machine or in its network, as far as the name shows it: anybody who
 * uses such a name makes the engine ask there, and sees the answer quoted.
 */
export function isOfInside(name: string): boolean {
  const host = hostOf(name).replace(/:\d+$/, '')
  return looksLikeAddress(host) || !host.includes('.') || isLocal(host.toLowerCase())
}

/**
 * Registries that everybody uses. A registry's owner learns every requested name, which may carry a message; nobody who
 * writes a repository could have chosen these for that.
 */
const KNOWN: ReadonlySet<string> = new Set([
  'docker.io',
  'ghcr.io',
  'quay.io',
  'gcr.io',
  'mcr.microsoft.com',
  'public.ecr.aws',
  'registry.gitlab.com',
  'registry.k8s.io',
  'registry.access.redhat.com',
  'registry.redhat.io',
  'registry.fedoraproject.org',
  'registry.opensuse.org',
  'registry.suse.com',
  'container-registry.oracle.com',
  'docker.elastic.co',
  'nvcr.io',
  'lscr.io',
  'cgr.dev',
])

/** Whether the registry of a name is in the engine's own network, one that everybody uses, or any other. */
export function registryOf(name: string): 'inside' | 'known' | 'unknown' {
  if (isOfInside(name)) return 'inside'
  return KNOWN.has(hostOf(name).toLowerCase()) ? 'known' : 'unknown'
}

/** `*` matches any characters, and may occur several times. At the end, it matches tags, too. */
export function matches(pattern: string, name: string): boolean {
  const whole = fullName(pattern)
  return fits(pattern.endsWith('*') && !hasTag(pattern) ? whole.replace(/:latest$/, '') : whole, fullName(name))
}

function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - at >= last.length && name.endsWith(last)
}

/** A colon before the last slash is a registry's port. */
export const hasTag = (name: string): boolean => name.includes('@') || name.lastIndexOf(':') > name.lastIndexOf('/')
