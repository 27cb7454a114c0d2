import { existsSync } from 'node:fs'
import { aptInstall, has, say } from './run.mjs'

/** `ip`, which gives the process engine of the tests a loopback interface; without it they make do with Docker. */
export async function ensureIp() {
  if ((await has('ip')) || existsSync('/usr/sbin/ip') || existsSync('/sbin/ip')) return
  if (process.getuid?.() !== 0 || !(await has('apt-get'))) return
  say('Installing iproute2 for the tests …')
  await aptInstall(['iproute2'], 'installing iproute2')
}
