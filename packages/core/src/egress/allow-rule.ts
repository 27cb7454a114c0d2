import { isLocal, looksLikeAddress, plainHost } from './host-name.ts'

/** A host that a sandbox may reach outside, or every name below one. */
export type AllowRule = {
  name: string
  /** `*.name`: all names below it, and not itself. */
  isBelow: boolean
  /** Null: the usual ports. */
  port: number | null
}

/** The ports of HTTPS and HTTP. */
export const USUAL_PORTS: readonly number[] = [443, 80]
export const MOST_RULES = 100
export const LONGEST_RULE = 260

const FORM = /^(\*\.)?([^:/@*\s]+)(?::(\d{1,6}))?$/

/** Null: the text is no rule; `ruleProblem` says why. */
export function parseRule(text: string): AllowRule | null {
  const [, below, host = '', port] = FORM.exec(text) ?? []
  const name = plainHost(host)
  if (name === null || !name.includes('.') || isLocal(name)) return null
  const number = port === undefined ? null : Number(port)
  if (number !== null && (number < 1 || number > 65_535)) return null
  return { name, isBelow: below !== undefined, port: number }
}

/** The problem of an entry of "network.allow", and what to write instead; null: none. */
export function ruleProblem(text: string): string | null {
  if (parseRule(text) !== null) return null
  const [, , , port] = FORM.exec(text) ?? []
  if (text === '*' || text === '*.' || /^\*?:\d+$/.test(text))
    return 'would allow everything: name the hosts, or set "network" to "bridge"'
  if (/^\w+:\/\//.test(text)) return 'is a URL: write the name of the host alone, such as "packages.example.com"'
  if (text.includes('@')) return 'has a user name in it: write the name of the host alone'
  if (text.includes('/')) return 'has a path or a mask: write the name of the host alone; everything on it is allowed'
  if (looksLikeAddress(text.replace(/:\d*$/, '')))
    return 'is an address: write the name of the host; addresses are never reached'
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return 'has no port from 1 to 65535: leave it out for 443 and 80'
  if (/[^\u0020-\u007e]/.test(text)) return 'must be ASCII: write an international name as "xn--…"'
  if (text.replace(/^\*\./, '').includes('*')) return 'may have a "*" only at its beginning, as in "*.example.org"'
  const host = plainHost(text.replace(/^\*\./, '').replace(/:\d+$/, ''))
  if (host !== null && isLocal(host)) return 'is a name of this machine or its own network: those are never reached'
  if (host !== null && !host.includes('.'))
    return text.startsWith('*.')
      ? 'would allow a whole top-level domain: name at least two parts, as in "*.example.org"'
      : 'must be a full name with a dot, such as "packages.example.com"'
  return 'must be the name of a host, such as "packages.example.com", "*.example.org" or "example.org:8443"'
}

/** `host`: in the form of `plainHost`. */
export const allows = (rules: readonly AllowRule[], host: string, port: number): boolean =>
  rules.some(
    (rule) =>
      (rule.isBelow ? host.endsWith(`.${rule.name}`) : host === rule.name) &&
      (rule.port === null ? USUAL_PORTS.includes(port) : port === rule.port),
  )

/** Leaves out texts that are no rules: another version stored them. */
export const parseRules = (texts: readonly string[]): AllowRule[] => texts.flatMap((text) => parseRule(text) ?? [])
