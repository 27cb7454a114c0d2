import { existsSync } from 'node:fs'
import { aptInstall, has, say } from './run.mjs'

/**
 * Installs `ip`, with which the process engine of the tests makes a loopback interface; without it the tests use
 * Docker.
 */
export async function ensureIp() {
  if ((await has('ip')) || existsSync('/usr/sbin/ip') || existsSync('/sbin/ip')) return
  if (process.getuid?.() !== 0 || !(await has('apt-get'))) return
  say('Installing iproute2 for the tests …')
  await aptInstall(['iproute2'], 'installing iproute2')
}
