import type { ForgeKind } from '../ports/forge.ts'
import type { Environment } from '../process/settings.ts'
import { isToken, readForgeFile, webAddress, type ForgeEntry } from './forge-file.ts'
import { kindsOfForges, knownForges, otherNames } from './forge-kinds.ts'
import type { RemoteAddress } from './remote-address.ts'

/** A forge as it is set up at this moment. */
export type Forge = {
  kind: ForgeKind
  /** As in the file: in small letters, with its port where that is not the usual one. */
  host: string
  /** Address of its pages, without a slash at the end. */
  web: string
  api: string
  token: string | null
  /** `file`, or the name of the variable that holds the token or would; null: nothing was set. */
  tokenFrom: string | null
  /** Why what was set is no token. */
  problem: string | null
}

export type ForgeSources = { data: string; env: Environment }

/** All that are known: the well-known ones, and what the file names. Throws ForgeError when the file is unusable. */
export function allForges({ data, env }: ForgeSources): Forge[] {
  const entries = readForgeFile(data)
  const hosts = new Set([...knownForges.keys(), ...Object.keys(entries)])
  return [...hosts].map((host) => forgeOf(host, entries[host], env))
}

/** Null for a host that nobody named. */
export function forgeByHost(sources: ForgeSources, host: string): Forge | null {
  return allForges(sources).find((forge) => forge.host === host) ?? null
}

/** Which forge serves a remote: by host and port, for ssh by the host alone, whose port says nothing about the web. */
export function forgeOfRemote(sources: ForgeSources, { via, hostname, port }: RemoteAddress): Forge | null {
  const forges = allForges(sources)
  const name = otherNames.get(hostname) ?? hostname
  const exact = forges.find(({ host }) => host === (port === '' || via === 'ssh' ? name : `${name}:${port}`))
  if (exact) return exact
  const serving = forges.filter(({ web }) => {
    const url = new URL(web)
    return url.hostname === name && (via === 'ssh' || (url.port === port && url.protocol === `${via}:`))
  })
  return serving.length === 1 ? (serving[0] ?? null) : null
}

function forgeOf(host: string, entry: ForgeEntry | undefined, env: Environment): Forge {
  const known = knownForges.get(host)
  const kind = entry?.kind ?? known?.kind ?? 'gitea'
  const web = (entry?.url === undefined ? null : webAddress(entry.url)) ?? `https://${host}`
  const forge = { kind, host, web, api: kindsOfForges[kind].api(web) }
  // What was set for Beadloom counts before what the environment has for every program.
  if (entry?.token !== undefined) return { ...forge, token: entry.token, tokenFrom: 'file', problem: null }
  if (entry?.tokenFrom !== undefined) return { ...forge, ...fromEnvironment([entry.tokenFrom], env) }
  // A token of the environment goes to the forge that its name means, at its own address, and nowhere else.
  const variables = entry?.url === undefined ? (known?.variables ?? []) : []
  return { ...forge, ...fromEnvironment(variables, env) }
}

function fromEnvironment(
  variables: readonly string[],
  env: Environment,
): Pick<Forge, 'token' | 'tokenFrom' | 'problem'> {
  const name = variables.find((variable) => (env[variable] ?? '').trim() !== '')
  if (name === undefined) return { token: null, tokenFrom: variables[0] ?? null, problem: null }
  const token = (env[name] ?? '').trim()
  if (isToken(token)) return { token, tokenFrom: name, problem: null }
  return { token: null, tokenFrom: name, problem: `${name} holds no token: it has a space, a line break or an accent` }
}
