import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isElsewhere, isPublicAddress } from './public-address.ts'

test.each(['1.1.1.1', '93.184.215.14', '172.15.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450:4001:800::200e'])(
  '%s is on the internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each([
  '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.0.1', '168.63.129.16', '169.254.169.254',
  '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1', '224.0.0.1', '239.1.1.1', '240.0.0.1',
  '255.255.255.255', '::', '::1', '::ffff:1.1.1.1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', 'fc00::1',
  'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '100::1',
  '127.1', '0x7f000001', '', 'example.org', '1.1.1.1%x',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false)) // prettier-ignore

test('no address of this machine is elsewhere', () => {
  for (const own of Object.values(networkInterfaces()).flat()) expect(isElsewhere(own?.address ?? '')).toBe(false)
})
