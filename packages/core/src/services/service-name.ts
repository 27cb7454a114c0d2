/** A name that can be a host: what else has no place in `/etc/hosts`. */
export const isServiceName = (name: string): boolean => /^[a-z\d](?:[\w-]{0,61}[a-z\d])?$/i.test(name)

/** Names that mean something else in there. */
const taken = new Set(['localhost', 'beadloom'])

export const canBeService = (name: string): boolean => isServiceName(name) && !taken.has(name.toLowerCase())

/** More than a project's tests need; twenty of them would take the machine's memory for one attempt. */
export const MOST_SERVICES = 8
