import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

/** The addresses of this process's network, and the one from which everything from further away comes. */
export type OwnNetwork = { addresses: readonly NetworkInterfaceInfo[]; gateway: string | null }

export const ownNetwork = (): OwnNetwork => ({
  addresses: Object.values(networkInterfaces()).flatMap((some) => some ?? []),
  gateway: gatewayOf(routes()),
})

/**
 * Whether an address belongs to another machine on our own network: in a container, to another container. The engine's
 * host is the gateway, and connections through a published port come from there.
 */
export function isNeighbour(address: string, { addresses, gateway }: OwnNetwork): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (address === gateway || addresses.some((own) => own.address === address)) return false
  const ours = new BlockList()
  for (const own of addresses)
    if (!own.internal && own.cidr)
      ours.addSubnet(own.address, Number(own.cidr.split('/')[1]), own.family === 'IPv6' ? 'ipv6' : 'ipv4')
  return ours.check(address, family)
}

/** Reads the IPv4 gateway from /proc/net/route: the kernel writes its bytes in reverse order, as hexadecimal digits. */
export function gatewayOf(table: string): string | null {
  for (const line of table.split('\n').slice(1)) {
    const [, destination, gateway = ''] = line.trim().split(/\s+/)
    if (destination === '00000000' && /^[0-9A-F]{8}$/i.test(gateway) && gateway !== '00000000')
      return [...Buffer.from(gateway, 'hex')].reverse().join('.')
  }
  return null
}

/**
 * Cuts neighbours off before they are heard: they may be sandboxes with a network. `welcome`: neighbours that may come
 * all the same, the addresses of proxies.
 */
export function refuseNeighbours(
  server: Server,
  welcome: (address: string) => boolean = () => false,
  network = ownNetwork,
): void {
  server.prependListener('connection', (socket) => {
    const { remoteAddress: address } = socket
    if (address === undefined || (!welcome(address) && isNeighbour(address, network()))) socket.destroy()
  })
}

function routes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8')
  } catch {
    return ''
  }
}
