/** Whether a name can be a host name: no other one fits in `/etc/hosts`. */
export const isServiceName = (name: string): boolean => /^[a-z\d](?:[\w-]{0,61}[a-z\d])?$/i.test(name)

/** Names with another meaning inside a sandbox. */
const taken = new Set(['localhost', 'beadloom'])

export const canBeService = (name: string): boolean => isServiceName(name) && !taken.has(name.toLowerCase())

/** More than a project's tests need; twenty of them would take the machine's memory for one attempt. */
export const MOST_SERVICES = 8
