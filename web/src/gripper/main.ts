// What the page of the gripper calls, with the library that reads codes and phrases: plain scripts, which scenes run too.
export { showGripper } from "./page";
