import type { ForgeKind } from '../ports/forge.ts'
import type { Environment } from '../process/settings/settings.ts'
import { isToken, readForgeFile, webAddress, type ForgeEntry } from './forge-file.ts'
import { kindsOfForges, knownForges, otherNames } from './forge-kinds.ts'
import type { RemoteAddress } from './remote-address.ts'

/** A forge as it is configured right now. */
export type Forge = {
  kind: ForgeKind
  /** As in the file: in lower case, with its port if that is not the default one. */
  host: string
  /** Address of its web pages, without a trailing slash. */
  web: string
  api: string
  token: string | null
  /** `file`, or the name of the variable that has, or could have, the token; null if none is known. */
  tokenFrom: string | null
  /** The reason why the configured token cannot be used. */
  problem: string | null
}

export type ForgeSources = { data: string; env: Environment }

/** All known forges: the well-known ones, and those in the file. Throws ForgeError if the file is unusable. */
export function allForges({ data, env }: ForgeSources): Forge[] {
  const entries = readForgeFile(data)
  const hosts = new Set([...knownForges.keys(), ...Object.keys(entries)])
  return [...hosts].map((host) => forgeOf(host, entries[host], env))
}

/** Null for a host that is not configured. */
export function forgeByHost(sources: ForgeSources, host: string): Forge | null {
  return allForges(sources).find((forge) => forge.host === host) ?? null
}

/**
 * The forge that serves a remote, by host and port; for ssh by the host alone, because its port differs from the web's.
 */
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
  // A setting for Beadloom takes precedence over the environment, which is for every program.
  if (entry?.token !== undefined) return { ...forge, token: entry.token, tokenFrom: 'file', problem: null }
  if (entry?.tokenFrom !== undefined) return { ...forge, ...fromEnvironment([entry.tokenFrom], env) }
  // A token from the environment is sent only to the forge in its name, at its usual address.
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
  return {
    token: null,
    tokenFrom: name,
    problem: `${name} is not a token: it contains a space, a line break or an accent`,
  }
}
