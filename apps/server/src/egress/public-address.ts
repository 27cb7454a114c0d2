import { BlockList, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * IPv4 that is not public, by the registry of special addresses (RFC 6890), and clouds' addresses for their machines.
 */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers' own, and a cloud's metadata
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // a cloud's own services, behind a public address
  ['169.254.0.0', 16], // link-local, and metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** The only range of IPv6 that is assigned. Parts of it have other uses (an IPv4 address, an example). */
const GIVEN_OUT = ['2000::', 3] as const
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const four = new BlockList()
for (const [net, bits] of NOT_PUBLIC) four.addSubnet(net, bits, 'ipv4')
const given = new BlockList()
given.addSubnet(...GIVEN_OUT, 'ipv6')
const six = new BlockList()
for (const [net, bits] of NOT_PUBLIC_6) six.addSubnet(net, bits, 'ipv6')

/** Whether an address is on the internet. IPv4 inside IPv6 does not count. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  if (isIPv4(address)) return !four.check(address, 'ipv4')
  return given.check(address, 'ipv6') && !six.check(address, 'ipv6')
}

/** The same without this machine's own addresses, which may be public: services that listen there trust it. */
export const isElsewhere = (address: string): boolean =>
  isPublicAddress(address) &&
  !Object.values(networkInterfaces()).some((some) => some?.some((own) => own.address === address))
