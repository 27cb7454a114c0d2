// Loaded into a server before anything else: its wall clock is the machine's plus the milliseconds in the file
// TEST_CLOCK_FILE, which a test may change at any time. Durations (`performance.now`, timers) stay true, as when a real
// clock is set.
import { readFileSync, watchFile } from 'node:fs'

const file = process.env['TEST_CLOCK_FILE']
const trueNow = Date.now.bind(Date)
let ahead = 0
const read = () => {
  ahead = Number(readFileSync(file, 'utf8')) || 0
}
if (file) {
  read()
  watchFile(file, { interval: 100, persistent: false }, read)
  const TrueDate = Date
  globalThis.Date = class extends TrueDate {
    constructor(...args) {
      super(...(args.length === 0 ? [trueNow() + ahead] : args))
    }
    static now() {
      return trueNow() + ahead
    }
  }
}
