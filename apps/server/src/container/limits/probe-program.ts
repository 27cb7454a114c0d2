import { limitFiles } from '@beadloom/core/container-limits/limit-report.ts'

/** 1: off. An engine without IPv6 networks switches it off everywhere in a container, though its hosts file has ::1. */
const LOOPBACK_IPV6_FILE = '/proc/sys/net/ipv6/conf/lo/disable_ipv6'

/** The kept length of the kernel's log, which most containers may not read. gVisor names itself in its first line. */
const LOG_CHARACTERS = 2000

/**
 * Leaves a `LimitReport` as JSON in `report`. It reads the files at every place below a mount where a path of
 * `/proc/self/cgroup` can be, and those above: the server decides which of them count.
 */
export const PROBE_PROGRAM = `
const fs = require('node:fs')
const read = (path) => { try { return fs.readFileSync(path, 'utf8') } catch { return '' } }
const cgroup = read('/proc/self/cgroup')
const lines = read('/proc/self/mountinfo').split('\\n').filter((line) => / - cgroup2? /.test(line))
const paths = new Set(cgroup.split('\\n').map((line) => line.split(':').slice(2).join(':').replace(/\\/$/, '')))
const files = {}
for (const line of lines) {
  const [, , , root, point] = line.split(' ')
  const inside = [...paths].map((path) => (path.startsWith(root) ? path.slice(root.length).replace(/^(?=[^/])/, '/') : ''))
  for (const path of new Set([...paths, ...inside, '']))
    for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
      for (const name of ${JSON.stringify(limitFiles)}) {
        const text = read(point + at + '/' + name)
        if (text) files[point + at + '/' + name] = text
      }
      if (at === '') break
    }
}
const [meminfo, limits] = [read('/proc/meminfo'), read('/proc/self/limits')]
const loopbackIpv6 = read('${LOOPBACK_IPV6_FILE}').trim()
const said = require('node:child_process').spawnSync('dmesg', { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] })
const kernel = {
  release: read('/proc/sys/kernel/osrelease').trim(),
  uidMap: read('/proc/self/uid_map'),
  kernelLog: (said.stdout || '').slice(0, ${LOG_CHARACTERS}),
}
const report = JSON.stringify({ cgroup, mountinfo: lines.join('\\n'), meminfo, limits, files, loopbackIpv6, kernel })
`
