"""Where each number of a sensor lies in the arrays of a bank."""

from __future__ import annotations

# What a sensor does with its sources, column KIND.
(
    JOINT_VALUE,
    JOINT_SPEED,
    MOTOR_COLUMN,
    WIPER,
    SWITCH,
    RANGE,
    INERTIAL,
    FORCE_TORQUE,
) = range(8)

# Columns of `ints`, one row per sensor.
(
    KIND,
    FIRST,  # first channel
    COUNT,  # number of channels
    PERIOD_TICKS,  # sample k is taken in tick ceil(k * PERIOD_TICKS / PERIOD_SAMPLES)
    PERIOD_SAMPLES,
    DELAY,  # ticks until a sample can be read
    DROP_STREAM,
    MOTOR_STATE,  # column of the motors' state
    SITE,
    BODY,
    SUBTREE_END,  # first body behind the subtree of BODY
    NUM_INTS,
) = range(12)

# Columns of `sources`, one row per channel: addresses.
SOURCE, SPEED_SOURCE, NOISE_STREAM, WALK_STREAM, NUM_SOURCES = range(5)

# Columns of `params`, one row per channel.
(
    SCALE,
    BIAS,
    NOISE,
    STEP,
    SATURATED_LOW,
    SATURATED_HIGH,
    WALK_STEP,  # standard deviation per sample
    MIX_0,  # row of the matrix that mixes the three axes of a triad
    MIX_1,
    MIX_2,
    LOW,  # wiper: angle at 0; switch: force that opens
    HIGH,  # wiper: angle at full scale; switch: force that closes
    LIMIT,  # wiper: lift-off speed; switch: ticks of chatter; range: farthest
    OPEN,  # wiper: share that an open wiper reads; switch: 1 if latched
    LOAD,  # wiper: load ratio; motor: 1 if only the amount is seen
    NUM_PARAMS,
) = range(16)

# Columns of `state`, one row per channel. Forces and accelerations are summed up over
# the ticks between two samples.
WALK, IS_CLOSED, CHANGED_AT, WAS_CLOSED, INTEGRAL, NUM_STATES = range(6)

# Columns of `fault_amounts`, one row per sensor.
FAULT_BIAS, FAULT_NOISE = range(2)

# Bits of `fault`.
SENSOR_FROZEN = 1
