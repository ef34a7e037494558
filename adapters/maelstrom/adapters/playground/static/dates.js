/** Days as texts "2026-12-01": they compare, and know nothing of time zones. */

const two = (number) => String(number).padStart(2, "0");

export const dayText = (date) =>
  `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Noon, so that no change of the clock moves a day. */
export const dateOf = (day) => new Date(`${day}T12:00:00`);

export const today = () => dayText(new Date());

export function plusDays(day, days) {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return dayText(date);
}

export function plusMonths(day, months) {
  const date = dateOf(day);
  date.setDate(1);
  date.setMonth(date.getMonth() + months);
  return dayText(date);
}

/** The seven days of the week that a day is in, from Monday. */
export function weekOf(day) {
  const monday = plusDays(day, -((dateOf(day).getDay() + 6) % 7));
  return Array.from({ length: 7 }, (_, index) => plusDays(monday, index));
}

/** The weeks that a month touches. */
export function monthOf(day) {
  const weeks = [];
  const month = day.slice(0, 7);
  for (let week = weekOf(`${month}-01`); week.some((one) => one.slice(0, 7) === month); ) {
    weeks.push(week);
    week = weekOf(plusDays(week[6], 1));
  }
  return weeks;
}

export const words = (day, options) => new Intl.DateTimeFormat(undefined, options).format(dateOf(day));
