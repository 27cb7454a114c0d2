/* Names of hosts in the form in which they are compared: lower case, ASCII (`xn--…` for others), no dot at the end. */

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const LONGEST = 253

/** Null: it is not the name of a host. An address is not a name. */
export function plainHost(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (name.length === 0 || name.length > LONGEST || looksLikeAddress(name)) return null
  return name.split('.').every((label) => LABEL.test(label)) ? name : null
}

/** Also in the forms that C libraries read as addresses: `127.1`, `0x7f.1`, `2130706433`, `017700000001`. */
export function looksLikeAddress(text: string): boolean {
  if (text.includes(':') || text.startsWith('[')) return true
  const last = text.replace(/\.$/, '').split('.').at(-1) ?? ''
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(last)
}

/** A name of this machine or its own network; in lower case. */
export const isLocal = (name: string): boolean => /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(name)
