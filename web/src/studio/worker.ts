// Without a server: the same calls, answered by Python inside the browser.
import type { Link, LinkState } from "./link";
import type { Told } from "./protocol";

export class WorkerLink implements Link {
  call<T>(): Promise<T> {
    return Promise.reject(new Error("not here yet"));
  }
  hear: (heard: (told: Told) => void) => void = () => undefined;
  watch: (seen: (state: LinkState) => void) => void = () => undefined;
}
