import type { Cooldown, CooldownStore } from '../ports/store/cooldowns.ts'
import type { Writing } from './database/writer.ts'

/** Models that asked to be left alone. The table has an older name, because existing databases have it. */
export function cooldownStore({ db, clock, write, changed }: Writing): CooldownStore {
  const put = db.prepare<[Cooldown]>('REPLACE INTO parked_model (model, until, why) VALUES (@model, @until, @why)')
  const forget = db.prepare<[number]>('DELETE FROM parked_model WHERE until <= ?')
  const select = db.prepare<[], Cooldown>('SELECT model, until, why FROM parked_model ORDER BY model')
  return {
    addCooldown: (cooldown) =>
      write(() => {
        forget.run(clock.now())
        put.run(cooldown)
        changed('status', '', 'server')
      }),
    cooldowns: () => select.all(),
  }
}
