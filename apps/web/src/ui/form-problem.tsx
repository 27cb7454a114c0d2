import form from './form.module.css'
import { shown } from './text/hostile-text.ts'

/** The reason why a form was not sent; screen readers say it at once. */
export const FormProblem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p className={form['error']} role="alert">
      {shown(text)}
    </p>
  )
